// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The time of a call to the kernel, in nanoseconds, best of several rounds: for a guest whose
// clock counts instructions, where one takes a nanosecond.
//
//	bench-calls frame DEVICE	a frame of 60 octets without FCS, to its receiver
//	bench-calls read DEVICE [SENDER...]
//					ETHTOOL_GSTATS, each after a frame from each sender
//	bench-calls link DEVICE		RTM_GETLINK, whose reply has the statistics of the device
//	bench-calls ports DEVICE...	once: number, names and values of the statistics of each
//	bench-calls dump FAMILY COMMAND [ATTRIBUTE]
//					a dump of generic netlink, with a flag as its attribute; also
//					the messages of the dump, their octets without headers, and
//					the octets of each attribute of the first one
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
#include <linux/genetlink.h>
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

/* @calls: in each round. */
static void measure_calls(void (*function)(struct call *call), struct call *call,
			  unsigned int calls)
{
	unsigned long long best = ~0ull;
	unsigned int round;
	unsigned int i;

	for (round = 0; round < ROUNDS; round++) {
		unsigned long long start = now_ns();
		unsigned long long took;

		for (i = 0; i < calls; i++)
			function(call);
		took = (now_ns() - start) / calls;
		if (took < best)
			best = took;
	}
	printf("%llu\n", best);
}

static void measure(void (*function)(struct call *call), struct call *call)
{
	measure_calls(function, call, CALLS);
}

static void send_frame(struct call *call)
{
	must(send(call->fd, call->data, call->length, 0) == (ssize_t)call->length, "send");
}

/* send_frame() sends a frame by @device. */
static void open_sender(struct call *call, const char *device)
{
	/* To nobody, of a type without a protocol: it ends at the receiving device. */
	static unsigned char octets[ETH_ZLEN] = { 0x02, [6] = 0x02, [11] = 0x01, 0x88, 0xb5 };
	struct sockaddr_ll address = { .sll_family = AF_PACKET };

	*call = (struct call){ socket(AF_PACKET, SOCK_RAW, 0), device, octets, sizeof(octets) };
	must(call->fd >= 0, "packet socket");
	address.sll_ifindex = (int)if_nametoindex(device);
	must(!bind(call->fd, (struct sockaddr *)&address, sizeof(address)), device);
}

static void frame(const char *device)
{
	struct call call;

	open_sender(&call, device);
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

/* Measures the reads, not the frames before each of them. */
static void measure_after_frames(struct call *call, char **senders, unsigned int n)
{
	struct call *frames = memory(n * sizeof(*frames));
	unsigned long long best = ~0ull;
	unsigned int round;
	unsigned int i;

	for (i = 0; i < n; i++)
		open_sender(&frames[i], senders[i]);
	for (round = 0; round < ROUNDS; round++) {
		unsigned long long took = 0;

		for (i = 0; i < CALLS * n; i++) {
			unsigned long long start;

			send_frame(&frames[i % n]);
			if (i % n < n - 1)
				continue;
			start = now_ns();
			read_values(call);
			took += now_ns() - start;
		}
		if (took / CALLS < best)
			best = took / CALLS;
	}
	printf("%llu\n", best);
	free(frames);
}

static void read_device(const char *device, char **senders, int n)
{
	struct ethtool_stats *stats = memory(STATISTICS);
	struct call call = { socket(AF_INET, SOCK_DGRAM, 0), device, stats, 0 };

	must(call.fd >= 0, "socket");
	stats->cmd = ETHTOOL_GSTATS;
	stats->n_stats = statistics(&call);
	if (n)
		measure_after_frames(&call, senders, (unsigned int)n);
	else
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

/* A request of generic netlink, with one attribute at the most. */
struct request {
	struct nlmsghdr header;
	struct genlmsghdr generic;
	struct nlattr attr;
	char value[GENL_NAMSIZ];
};

static void fill_request(struct request *request, int family, int command, int flags)
{
	memset(request, 0, sizeof(*request));
	request->header.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN);
	request->header.nlmsg_type = (__u16)family;
	request->header.nlmsg_flags = (__u16)(NLM_F_REQUEST | flags);
	request->generic.cmd = (__u8)command;
	request->generic.version = 1;
}

static void add_attribute(struct request *request, int type, const char *value)
{
	size_t length = value ? strlen(value) + 1 : 0;

	must(length <= sizeof(request->value), value);
	request->attr.nla_type = (__u16)type;
	request->attr.nla_len = (__u16)(sizeof(struct nlattr) + length);
	if (value)
		memcpy(request->value, value, length);
	request->header.nlmsg_len += (__u32)NLA_ALIGN(request->attr.nla_len);
}

/* The number of a family of generic netlink. */
static int family_called(int fd, const char *name)
{
	char reply[8192] __attribute__((aligned(NLMSG_ALIGNTO)));
	const struct nlmsghdr *header = (const struct nlmsghdr *)reply;
	struct request request;
	const char *at;
	ssize_t length;

	fill_request(&request, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	add_attribute(&request, CTRL_ATTR_FAMILY_NAME, name);
	must(send(fd, &request, request.header.nlmsg_len, 0) > 0, name);
	length = recv(fd, reply, sizeof(reply), 0);
	must(length > 0 && header->nlmsg_type != NLMSG_ERROR, name);
	at = (const char *)NLMSG_DATA(header) + GENL_HDRLEN;
	while (at < reply + length) {
		const struct nlattr *attr = (const struct nlattr *)at;

		if (attr->nla_type == CTRL_ATTR_FAMILY_ID)
			return *(const __u16 *)(at + sizeof(struct nlattr));
		at += NLA_ALIGN(attr->nla_len);
	}
	must(false, "number of the family");
	return 0;
}

static unsigned int messages;	/* of the last dump */
static unsigned int octets;
static char first[8192] __attribute__((aligned(NLMSG_ALIGNTO)));	/* its first message */

static void dump_once(struct call *call)
{
	static char reply[65536] __attribute__((aligned(NLMSG_ALIGNTO)));

	send_frame(call);
	messages = 0;
	octets = 0;
	for (;;) {
		ssize_t got = recv(call->fd, reply, sizeof(reply), 0);
		const struct nlmsghdr *header = (const struct nlmsghdr *)reply;
		long long left = got;

		must(got > 0, call->device);
		for (; NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
			if (header->nlmsg_type == NLMSG_DONE)
				return;
			must(header->nlmsg_type != NLMSG_ERROR, call->device);
			must(header->nlmsg_len <= sizeof(first), "long message");
			if (!messages++)
				memcpy(first, header, header->nlmsg_len);
			octets += header->nlmsg_len - (__u32)NLMSG_LENGTH(GENL_HDRLEN);
		}
	}
}

static void print_attributes(const struct nlmsghdr *header)
{
	const char *at = (const char *)NLMSG_DATA(header) + GENL_HDRLEN;

	while (at < (const char *)header + header->nlmsg_len) {
		const struct nlattr *attr = (const struct nlattr *)at;

		printf("%d\n", (int)(attr->nla_len - sizeof(struct nlattr)));
		at += NLA_ALIGN(attr->nla_len);
	}
}

static void dump(const char *family, int command, int attribute)
{
	struct call call = { socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC), family, NULL, 0 };
	struct request request;

	must(call.fd >= 0, "socket");
	fill_request(&request, family_called(call.fd, family), command, NLM_F_DUMP);
	if (attribute)
		add_attribute(&request, attribute, NULL);
	call.data = &request;
	call.length = request.header.nlmsg_len;
	measure_calls(dump_once, &call, 1);
	printf("%u\n%u\n", messages, octets);
	if (messages)
		print_attributes((const struct nlmsghdr *)first);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	if (!strcmp(what, "frame") && argc == 3)
		frame(argv[2]);
	else if (!strcmp(what, "read"))
		read_device(argv[2], argv + 3, argc - 3);
	else if (!strcmp(what, "link") && argc == 3)
		link_of(argv[2]);
	else if (!strcmp(what, "dump") && argc >= 4)
		dump(argv[2], atoi(argv[3]), argc > 4 ? atoi(argv[4]) : 0);
	else if (!strcmp(what, "ports"))
		read_ports(argv + 2, argc - 2);
	else
		return 2;
	return 0;
}
