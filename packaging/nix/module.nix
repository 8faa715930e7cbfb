# SPDX-License-Identifier: Apache-2.0
# The module for NixOS: services.orientationd.enable = true; see flake.nix for what was tested.
self:
{ config, lib, pkgs, ... }:

let
  cfg = config.services.orientationd;
  package = cfg.package.override { sensorProxy = cfg.sensorProxy; };
  settings = cfg.settings // lib.optionalAttrs cfg.sensorProxy { SensorProxy = true; };
  text = value: if lib.isBool value then (if value then "yes" else "no") else toString value;
  configuration =
    lib.concatStringsSep "\n" ([ "[Orientation]" ] ++ lib.mapAttrsToList (key: value: "${key}=${text value}") settings) + "\n";
in
{
  options.services.orientationd = {
    enable = lib.mkEnableOption "orientationd, which announces which way up a tablet is held";
    package = lib.mkOption {
      type = lib.types.package;
      default = self.packages.${pkgs.stdenv.hostPlatform.system}.orientationd;
      description = "The package of orientationd.";
    };
    sensorProxy = lib.mkOption {
      type = lib.types.bool;
      default = false;
      description = "Whether to replace iio-sensor-proxy, for GNOME, KDE Plasma and Phosh.";
    };
    settings = lib.mkOption {
      type = lib.types.attrsOf (lib.types.oneOf [ lib.types.bool lib.types.int lib.types.float lib.types.str ]);
      default = { };
      example = { Responsiveness = "calm"; SampleRate = 50; AlwaysOn = true; };
      description = "The keys of the section Orientation in orientationd.conf(5).";
    };
  };

  config = lib.mkIf cfg.enable {
    assertions = [
      {
        assertion = !(cfg.sensorProxy && config.hardware.sensor.iio.enable);
        message = "services.orientationd.sensorProxy replaces iio-sensor-proxy: set hardware.sensor.iio.enable = false.";
      }
    ];
    environment.systemPackages = [ package ];
    environment.etc."orientationd.conf.d/50-nixos.conf".text = configuration;
    services.dbus.packages = [ package ];
    services.udev.packages = [ package ];
    security.polkit.enable = lib.mkDefault true;
    systemd.packages = [ package ];
    # The bus and udev start the service by this name.
    systemd.services.orientationd.aliases = [ "dbus-org.orientationd1.service" ];
    systemd.sockets.orientationd-motion.wantedBy = [ "sockets.target" ];
    systemd.services.orientationd.restartTriggers = [ configuration ];
    users.users.orientationd = {
      isSystemUser = true;
      group = "orientationd";
      description = "Device orientation service";
    };
    users.groups.orientationd = { };
  };
}
