/** Set for a process that plays runs for the one that began it. */
export const JOB_VARIABLE = 'SANDBOX_RUN_JOB';

/** True in such a process: what to play comes over its IPC channel. */
export const isJob = (): boolean => process.env[JOB_VARIABLE] === '1' && process.send !== undefined;
