// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * A simulated I2C bus with chips that are only registers, for kernels that are built without i2c-stub, as Debian's for arm64 is.
 * It has the name of the kernel's own, and does the same for the transfers that the tests and the chips' drivers use: bytes, words
 * and blocks of bytes, each at a register.
 *
 *     modprobe i2c-stub chip_addr=0x0f
 */
#include <linux/i2c.h>
#include <linux/module.h>

#define MOST_CHIPS 10

static unsigned short chip_addr[MOST_CHIPS];
static int chips;
module_param_array(chip_addr, ushort, &chips, 0444);
MODULE_PARM_DESC(chip_addr, "addresses of the chips on the bus");

static u16 registers[MOST_CHIPS][256];

static u16 *registers_of(u16 address)
{
	int chip;

	for (chip = 0; chip < chips; chip++)
		if (chip_addr[chip] == address)
			return registers[chip];
	return NULL;
}

static void set_low_byte(u16 *word, u8 byte)
{
	*word = (*word & 0xff00) | byte;
}

/* The bus has a lock of its own, which the caller of this holds. */
static int transfer(struct i2c_adapter *bus, u16 address, unsigned short flags, char direction, u8 command, int size,
		    union i2c_smbus_data *data)
{
	u16 *words = registers_of(address);
	int i;

	if (!words)
		return -ENODEV;
	switch (size) {
	case I2C_SMBUS_QUICK:
		return 0;
	case I2C_SMBUS_BYTE_DATA:
		if (direction == I2C_SMBUS_WRITE)
			set_low_byte(&words[command], data->byte);
		else
			data->byte = words[command] & 0xff;
		return 0;
	case I2C_SMBUS_WORD_DATA:
		if (direction == I2C_SMBUS_WRITE)
			words[command] = data->word;
		else
			data->word = words[command];
		return 0;
	case I2C_SMBUS_I2C_BLOCK_DATA:
		data->block[0] = min_t(int, data->block[0], min(I2C_SMBUS_BLOCK_MAX, 256 - command));
		for (i = 0; i < data->block[0]; i++) {
			if (direction == I2C_SMBUS_WRITE)
				set_low_byte(&words[command + i], data->block[1 + i]);
			else
				data->block[1 + i] = words[command + i] & 0xff;
		}
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

static u32 functionality(struct i2c_adapter *bus)
{
	return I2C_FUNC_SMBUS_QUICK | I2C_FUNC_SMBUS_BYTE_DATA | I2C_FUNC_SMBUS_WORD_DATA | I2C_FUNC_SMBUS_I2C_BLOCK;
}

static const struct i2c_algorithm algorithm = { .smbus_xfer = transfer, .functionality = functionality };

static struct i2c_adapter adapter = {
	.owner = THIS_MODULE,
	.algo = &algorithm,
	.name = "SMBus stub driver",    /* by which the tests find it */
};

static int __init create(void)
{
	return i2c_add_adapter(&adapter);
}

static void __exit take_away(void)
{
	i2c_del_adapter(&adapter);
}

module_init(create);
module_exit(take_away);
MODULE_DESCRIPTION("For the tests of orientationd: an I2C bus with simulated chips");
MODULE_LICENSE("GPL");
