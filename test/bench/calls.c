// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The time of a call to the kernel, in nanoseconds, best of several rounds: for a guest whose
// clock counts instructions, where one takes a nanosecond.
//
//	bench-calls frame DEVICE	a frame of 60 octets without FCS, to its receiver
//	bench-calls read DEVICE		ETHTOOL_GSTATS
//	bench-calls link DEVICE		RTM_GETLINK, whose reply has the statistics of the device
//	bench-calls ports DEVICE...	once: number, names and values of the statistics of each
#define _GNU_SOURCE
#include <errno.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/ethtool.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>

#define ROUNDS		10
#define CALLS		100
#define MAX_STATISTICS	1024
#define STATISTICS	(sizeof(struct ethtool_stats) + MAX_STATISTICS * sizeof(__u64))
#define NAMES		(sizeof(struct ethtool_gstrings) + MAX_STATISTICS * ETH_GSTRING_LEN)

static void must(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "bench-calls: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void *memory(size_t size)
{
	void *place = calloc(1, size);

	must(place, "memory");
	return place;
}

static unsigned long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1000000000ull * (unsigned long long)now.tv_sec + (unsigned long long)now.tv_nsec;
}

/* A socket and what is sent by it. */
struct call {
	int fd;
	const char *device;
	void *data;
	size_t length;
};

static void measure(void (*function)(struct call *call), struct call *call)
{
	unsigned long long best = ~0ull;
	unsigned int round;
	unsigned int i;

	for (round = 0; round < ROUNDS; round++) {
		unsigned long long start = now_ns();
		unsigned long long took;

		for (i = 0; i < CALLS; i++)
			function(call);
		took = (now_ns() - start) / CALLS;
		if (took < best)
			best = took;
	}
	printf("%llu\n", best);
}

static void send_frame(struct call *call)
{
	must(send(call->fd, call->data, call->length, 0) == (ssize_t)call->length, "send");
}

static void frame(const char *device)
{
	struct sockaddr_ll address = { .sll_family = AF_PACKET };
	/* To nobody, of a type without a protocol: it ends at the receiving device. */
	unsigned char octets[ETH_ZLEN] = { 0x02, [6] = 0x02, [11] = 0x01, 0x88, 0xb5 };
	struct call call = { socket(AF_PACKET, SOCK_RAW, 0), device, octets, sizeof(octets) };

	must(call.fd >= 0, "packet socket");
	address.sll_ifindex = (int)if_nametoindex(device);
	must(!bind(call.fd, (struct sockaddr *)&address, sizeof(address)), device);
	measure(send_frame, &call);
}

static void ethtool(struct call *call, void *data)
{
	struct ifreq request = { .ifr_data = data };

	strncpy(request.ifr_name, call->device, IFNAMSIZ - 1);
	must(!ioctl(call->fd, SIOCETHTOOL, &request), call->device);
}

static unsigned int statistics(struct call *call)
{
	struct ethtool_sset_info *sets = memory(sizeof(*sets) + sizeof(sets->data[0]));
	unsigned int number;

	sets->cmd = ETHTOOL_GSSET_INFO;
	sets->sset_mask = 1ull << ETH_SS_STATS;
	ethtool(call, sets);
	number = sets->data[0];
	free(sets);
	must(number && number <= MAX_STATISTICS, "number of statistics");
	return number;
}

static void read_values(struct call *call)
{
	ethtool(call, call->data);
}

static void read_device(const char *device)
{
	struct ethtool_stats *stats = memory(STATISTICS);
	struct call call = { socket(AF_INET, SOCK_DGRAM, 0), device, stats, 0 };

	must(call.fd >= 0, "socket");
	stats->cmd = ETHTOOL_GSTATS;
	stats->n_stats = statistics(&call);
	measure(read_values, &call);
}

struct get_link {
	struct nlmsghdr header;
	struct ifinfomsg info;
};

static void get_link(struct call *call)
{
	static char reply[32768];

	send_frame(call);
	must(recv(call->fd, reply, sizeof(reply), 0) > (ssize_t)sizeof(struct get_link), "reply");
}

static void link_of(const char *device)
{
	struct get_link request = {
		.header = { .nlmsg_len = sizeof(request), .nlmsg_type = RTM_GETLINK,
			    .nlmsg_flags = NLM_F_REQUEST },
		.info = { .ifi_index = (int)if_nametoindex(device) },
	};
	struct call call = { socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), device, &request,
			     sizeof(request) };

	must(call.fd >= 0 && request.info.ifi_index, device);
	measure(get_link, &call);
}

/* Ask each device for all that a program needs to print its statistics. */
static void read_ports(char **devices, int n)
{
	struct call call = { socket(AF_INET, SOCK_DGRAM, 0), NULL, NULL, 0 };
	struct ethtool_gstrings *names = memory(NAMES);
	struct ethtool_stats *stats = memory(STATISTICS);
	unsigned long long start = now_ns();
	int i;

	must(call.fd >= 0, "socket");
	for (i = 0; i < n; i++) {
		call.device = devices[i];
		names->cmd = ETHTOOL_GSTRINGS;
		names->string_set = ETH_SS_STATS;
		names->len = statistics(&call);
		ethtool(&call, names);
		stats->cmd = ETHTOOL_GSTATS;
		stats->n_stats = names->len;
		ethtool(&call, stats);
	}
	printf("%llu\n", now_ns() - start);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	if (!strcmp(what, "frame") && argc == 3)
		frame(argv[2]);
	else if (!strcmp(what, "read") && argc == 3)
		read_device(argv[2]);
	else if (!strcmp(what, "link") && argc == 3)
		link_of(argv[2]);
	else if (!strcmp(what, "ports"))
		read_ports(argv + 2, argc - 2);
	else
		return 2;
	return 0;
}
