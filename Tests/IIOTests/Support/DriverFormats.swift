// SPDX-License-Identifier: Apache-2.0

import Testing

/// What a driver of the kernel declares of its accelerometer.
struct DriverFormat: CustomTestStringConvertible {
  /// The driver, and the chip where the driver has several.
  var driver: String
  /// `scan_elements/in_accel_x_type`.
  var format: String
  /// `in_accel_scale`, m/s^2 a count, at one of its ranges.
  var scale: Double
  /// `in_accel_offset`, in counts.
  var offset = 0.0

  var testDescription: String { "\(driver) \(format)" }
}

/// What drivers in drivers/iio of Linux 6.x put into `scan_type` and answer for IIO_CHAN_INFO_SCALE.
///
/// One for each way of storing a sample that is seen in tablets and 2-in-1s, and those of chips that are not, where
/// they do it in yet another way.
let driverFormats = [
  DriverFormat(driver: "bmc150-accel: BMC150, BMA255, BMI055", format: "le:s12/16>>4", scale: 0.009577),
  DriverFormat(driver: "bmc150-accel: BMA250E", format: "le:s10/16>>6", scale: 0.038307),
  DriverFormat(driver: "bmc150-accel: BMA222E", format: "le:s8/16>>8", scale: 0.153229),
  DriverFormat(driver: "bmc150-accel: BMA280", format: "le:s14/16>>2", scale: 0.002394),
  DriverFormat(driver: "kxcjk-1013", format: "le:s12/16>>4", scale: 0.019163),
  DriverFormat(driver: "mxc4005", format: "be:s12/16>>4", scale: 0.009582),
  DriverFormat(driver: "mma8452: MMA8451", format: "be:s14/16>>2", scale: 0.002394),
  DriverFormat(driver: "mma8452: MMA8452", format: "be:s12/16>>4", scale: 0.009577),
  DriverFormat(driver: "mma8452: MMA8453", format: "be:s10/16>>6", scale: 0.038307),
  DriverFormat(driver: "mma7455", format: "le:s10/16>>0", scale: 0.153229),
  DriverFormat(driver: "inv_mpu6050", format: "be:s16/16>>0", scale: 0.000598),
  DriverFormat(driver: "inv_icm42600", format: "be:s16/16>>0", scale: 0.004788403),
  DriverFormat(driver: "bmi160, bmi270, bmi323, bmi088", format: "le:s16/16>>0", scale: 0.000598),
  DriverFormat(driver: "st_accel: LIS3DH, LIS2DH12", format: "le:s12/16>>4", scale: 0.009806),
  DriverFormat(driver: "st_accel: LNG2DM", format: "le:s8/8>>0", scale: 0.152983),
  DriverFormat(driver: "st_lsm6dsx", format: "le:s16/16>>0", scale: 0.000598205),
  DriverFormat(driver: "hid-sensor-accel-3d, 16 bits in mg", format: "le:s16/32>>0", scale: 0.009806650),
  DriverFormat(driver: "hid-sensor-accel-3d, 32 bits in ug", format: "le:s32/32>>0", scale: 0.000009806),
  DriverFormat(driver: "cros_ec_sensors", format: "le:s16/16>>0", scale: 0.000598550),
  DriverFormat(driver: "cros_ec_accel_legacy", format: "le:s16/16>>0", scale: 0.009586168),
  DriverFormat(driver: "kionix-kx022a", format: "le:s16/16>>0", scale: 0.000598550),
  DriverFormat(driver: "msa311", format: "le:s12/16>>4", scale: 0.009580),
  DriverFormat(driver: "bma400", format: "le:s12/16>>0", scale: 0.009577),
  DriverFormat(driver: "bma220", format: "le:s6/8>>2", scale: 0.623),
  DriverFormat(driver: "bma180", format: "le:s14/16>>2", scale: 0.002452),
  DriverFormat(driver: "fxls8962af", format: "le:s12/16>>0", scale: 0.009610517),
  DriverFormat(driver: "stk8312", format: "le:s8/8>>0", scale: 0.4616),
  DriverFormat(driver: "stk8ba50", format: "le:s10/16>>6", scale: 0.0384),
  DriverFormat(driver: "sca3000", format: "be:s13/16>>3", scale: 0.007357),
  DriverFormat(driver: "adxl345", format: "le:s13/16>>0", scale: 0.0383),
  DriverFormat(driver: "adxl355", format: "be:s20/32>>4", scale: 0.000038245),
  DriverFormat(driver: "adxl367", format: "be:s14/16>>0", scale: 0.002394347),
  DriverFormat(driver: "adxl372", format: "be:s12/16>>4", scale: 0.958241),
  DriverFormat(driver: "adis16475", format: "be:s32/32>>0", scale: 0.000000187),
  DriverFormat(
    driver: "kxsd9, which counts from zero", format: "be:u12/16>>4", scale: 0.011978, offset: -2048),
]
