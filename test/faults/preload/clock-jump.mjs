/** Moves the wall clock: SIGUSR2 takes the next jump of `JUMPS` (milliseconds, separated by commas). The monotonic clock goes on. */
const jumps = (process.env.JUMPS ?? '').split(',').map(Number);
let offsetMs = 0;
const { now } = Date;
Date.now = () => now() + offsetMs;
process.on('SIGUSR2', () => {
  offsetMs += jumps.shift() ?? 0;
});
