/** Set for a process that makes one run of several, for the one that began it. */
export const JOB_VARIABLE = 'SANDBOX_RUN_JOB';
