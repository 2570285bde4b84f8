// Loaded before a process's own program: its clock is then off by CLOCK_OFF_SECONDS. Timers go on as they are, as with
// a wrong clock.
const offMs = Number(process.env['CLOCK_OFF_SECONDS']) * 1_000;
const RealDate = Date;
const now = () => RealDate.now() + offMs;

globalThis.Date = class extends RealDate {
  /** @param {...any} args */
  constructor(...args) {
    // @ts-expect-error Date has several signatures
    super(...(args.length === 0 ? [now()] : args));
  }

  static now() {
    return now();
  }
};
