/** The environment variable that marks job processes. */
export const JOB_VARIABLE = 'SANDBOX_RUN_JOB';

/** True in a job process, which gets its runs over IPC. */
export const isJob = (): boolean => process.env[JOB_VARIABLE] === '1' && process.send !== undefined;
