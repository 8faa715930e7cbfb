// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * A chip on a simulated I2C bus (i2c-stub) that has an interrupt line.
 *
 * i2c-stub simulates the registers of a chip, but a chip that is created through its file new_device has no interrupt: its driver
 * then creates no trigger and reports no events. This module creates the chip with an interrupt that exists in software only:
 *
 *     modprobe chip_with_interrupt adapter=0 type=kxcjk1013 address=0x0f
 *     cd /sys/module/chip_with_interrupt/parameters
 *     echo 1 > fire             # an interrupt, once; the write returns when the driver has handled it
 *     echo 40000 > period_us    # one each 40 ms, until 0 is written
 *
 * The driver reads the reason of the interrupt from the chip's registers, so write them first. Removing the module removes the chip.
 */
#include <linux/hrtimer.h>
#include <linux/i2c.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/module.h>
#include <linux/version.h>

static int adapter;
module_param(adapter, int, 0444);
MODULE_PARM_DESC(adapter, "number of the I2C bus");

static char *type;
module_param(type, charp, 0444);
MODULE_PARM_DESC(type, "what the driver knows the chip by");

static ushort address;
module_param(address, ushort, 0444);
MODULE_PARM_DESC(address, "of the chip on the bus");

static int line = -1;               /* the number of the interrupt; parameters are also set before there is one */
static struct i2c_adapter *bus;     /* kept, so that i2c-stub cannot be removed before the chip */
static struct i2c_client *chip;
static struct hrtimer pulse;
static unsigned int period_us;

static int fire(const char *value, const struct kernel_param *parameter)
{
	if (line < 0)
		return -ENODEV;
	generic_handle_irq_safe(line);
	synchronize_irq(line);      /* waits for the driver's thread, too */
	return 0;
}

static const struct kernel_param_ops fire_parameter = { .set = fire };
module_param_cb(fire, &fire_parameter, NULL, 0200);
MODULE_PARM_DESC(fire, "write anything for one interrupt");

static enum hrtimer_restart fire_again(struct hrtimer *timer)
{
	generic_handle_irq(line);
	hrtimer_forward_now(timer, ns_to_ktime((u64)period_us * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

static int set_period(const char *value, const struct kernel_param *parameter)
{
	unsigned int period;
	int error = kstrtouint(value, 0, &period);

	if (error)
		return error;
	if (line < 0)
		return -ENODEV;
	if (period && period < 100)     /* less would leave the emulated machine no time for anything else */
		return -EINVAL;
	hrtimer_cancel(&pulse);
	period_us = period;
	if (period)
		hrtimer_start(&pulse, ns_to_ktime((u64)period * NSEC_PER_USEC), HRTIMER_MODE_REL);
	return 0;
}

static const struct kernel_param_ops period_parameter = { .set = set_period, .get = param_get_uint };
module_param_cb(period_us, &period_parameter, &period_us, 0644);
MODULE_PARM_DESC(period_us, "time from one interrupt to the next, or 0 for none");

static int __init create(void)
{
	struct i2c_board_info info = { .addr = address };
	int error = -ENODEV;

	bus = i2c_get_adapter(adapter);
	if (!bus || !type)
		goto without_line;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(&pulse, fire_again, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
#else
	hrtimer_init(&pulse, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	pulse.function = fire_again;
#endif
	/* Without an owner: otherwise the chip's driver, which uses the line, would keep this module from being removed. */
	error = line = __irq_alloc_descs(-1, 1, 1, NUMA_NO_NODE, NULL, NULL);
	if (line < 0)
		goto without_line;
	/* There is nothing to mask or to acknowledge, so a chip that does nothing suffices. It accepts edges and levels. */
	irq_set_chip_and_handler(line, &dummy_irq_chip, handle_edge_irq);
	strscpy(info.type, type, sizeof(info.type));
	info.irq = line;
	chip = i2c_new_client_device(bus, &info);
	if (!IS_ERR(chip))
		return 0;
	error = PTR_ERR(chip);
	irq_free_desc(line);
without_line:
	i2c_put_adapter(bus);
	return error;
}

static void __exit take_away(void)
{
	hrtimer_cancel(&pulse);
	i2c_unregister_device(chip);
	irq_free_desc(line);
	i2c_put_adapter(bus);
}

module_init(create);
module_exit(take_away);
MODULE_DESCRIPTION("For the tests of orientationd: a chip on i2c-stub that has an interrupt line");
MODULE_LICENSE("GPL");
