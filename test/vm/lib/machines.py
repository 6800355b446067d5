# SPDX-License-Identifier: GPL-2.0
"""The machines that QEMU emulates for guests, by Debian's names of their architectures."""

import dataclasses

# Of the kernel, on every machine.
PARAMETERS = ('quiet', 'panic=-1', 'oops=panic', 'log_buf_len=4M', 'random.trust_cpu=on',
              # The log reports each process that crashes: see klog.py.
              'print-fatal-signals=1')


def mac(number):
    """The address of a NIC"""
    return f'52:54:00:00:00:{number + 1:02x}'


@dataclasses.dataclass(frozen=True)
class Machine:
    """@options start QEMU; @parameters are the kernel's. The guest sees its terminal as @terminal
    and the monitor of QEMU as @monitor. Virtio devices are on the bus @virtio. Folders with
    programs are mounted with the version @protocol of 9p."""
    options: tuple
    parameters: tuple
    terminal: str = 'hvc0'
    monitor: str = 'hvc1'
    virtio: str = 'pci'
    protocol: str = '9p2000.L'
    least_cpus: int = 1
    most_cpus: int = 2
    # The kinds of NICs
    nics: tuple = ('e1000',)
    # Its root is that of this system, not one of Debian packages: see test/vm/root.
    native: bool = False

    def start(self):
        """The first words of the command."""
        return [*self.options]

    def device(self, kind, *properties):
        """QEMU's options for a virtio device."""
        return ['-device', ','.join([f'virtio-{kind}-{self.virtio}', *properties])]

    def nic(self, number, kind):
        """The same for a NIC at the port h{number} of the hub. A bus reset and an unplugged slot
        concern the devices behind one bridge: it is alone there."""
        bridge = f'bridge{number}'
        return ['-device', f'pcie-root-port,id={bridge},chassis={number + 1},slot={number + 1}',
                '-device', self.on_bridge(number, kind)]

    @staticmethod
    def on_bridge(number, kind):
        """Without the ROM for booting from the network."""
        return (f'{kind},bus=bridge{number},id=nic{number},netdev=h{number},romfile=,'
                f'mac={mac(number)}')

    @staticmethod
    def console():
        """QEMU's options for the console of the kernel: the character device console."""
        return ['-serial', 'chardev:console']

    def lines(self):
        """QEMU's options for the console, and for the terminal: the character device terminal."""
        return [*self.console(), *self.device('serial', 'id=lines'),
                '-device', 'virtconsole,chardev=terminal']

    def monitor_line(self):
        """The same for the character device qmp-serial, behind the other lines."""
        return ['-device', 'virtconsole,chardev=qmp-serial']


class Pc(Machine):
    """A PC has as many serial lines as are wanted, which need no driver."""

    def lines(self):
        return [*self.console(), '-serial', 'chardev:terminal']

    def monitor_line(self):
        return ['-serial', 'chardev:qmp-serial']


class Malta(Machine):
    """Few places on the bus have an interrupt: virtio devices share one of them, behind a
    bridge, and NICs have the others, each behind a bridge of its own."""

    @staticmethod
    def bridge(name, number):
        return ['-device', f'pci-bridge,id={name},chassis_nr={number + 1},shpc=off,'
                           f'addr={0x12 + number:#x}']

    def start(self):
        return [*self.options, *self.bridge('virtio', 0)]

    def device(self, kind, *properties):
        return super().device(kind, 'bus=virtio', *properties)

    def nic(self, number, kind):
        return [*self.bridge(f'bridge{number}', number + 1),
                '-device', self.on_bridge(number, kind)]


class Versal(Machine):
    """A board with two GEMs of its own, and no PCI."""

    def nic(self, number, kind):
        return ['-net', f'nic,model={kind},netdev=h{number},macaddr={mac(number)}']


class Mainframe(Machine):
    """The console of a mainframe is a device of its own."""

    @staticmethod
    def console():
        return ['-device', 'sclpconsole,chardev=console']


MACHINES = {
    'amd64': Pc(
        # QEMU 7.2 emulates cmpxchg16b with stale flags: an interrupt right behind it
        # returns with bits of a pointer as flags, which is a double fault.
        ('qemu-system-x86_64', '-machine', 'q35', '-cpu', 'max,-cx16'),
        ('console=ttyS0', 'mitigations=off', 'tsc=reliable',
         # On a loaded host, the emulated timer fails the kernel's check of it, which is a panic.
         'no_timer_check'),
        'ttyS1', 'ttyS2', most_cpus=255, nics=('e1000', 'e1000e', 'rtl8139'), native=True),
    'arm64': Machine(
        ('qemu-system-aarch64', '-machine', 'virt', '-cpu', 'cortex-a57'),
        ('console=ttyAMA0', 'mitigations=off')),
    # Debian's kernel has no LPAE: it reaches nothing above 4 GiB.
    'armhf': Machine(
        ('qemu-system-arm', '-machine', 'virt,highmem=off', '-cpu', 'cortex-a15'),
        ('console=ttyAMA0',)),
    # 9p2000.L passes error numbers of x86. MIPS has another number for "not supported", which
    # the kernel takes for a failure when it starts a program.
    'mipsel': Malta(
        ('qemu-system-mipsel', '-machine', 'malta', '-cpu', '24KEc'),
        ('console=ttyS0',), protocol='9p2000.u', most_cpus=1),
    's390x': Mainframe(
        ('qemu-system-s390x', '-machine', 's390-ccw-virtio', '-cpu', 'max'),
        ('console=ttysclp0',), virtio='ccw', nics=()),
}
# Those that have other NICs, and run the same kernels
OTHERS = {
    'arm64': Versal(
        ('qemu-system-aarch64', '-machine', 'xlnx-versal-virt'),
        ('console=ttyAMA0', 'mitigations=off'),
        virtio='device', least_cpus=4, most_cpus=4, nics=('cadence_gem',)),
}


def machine_of(architecture, nics):
    """The machine with NICs of these kinds, or None if there is none."""
    machines = [MACHINES[architecture], OTHERS.get(architecture)]
    return next((each for each in machines if each and set(nics) <= set(each.nics)), None)
