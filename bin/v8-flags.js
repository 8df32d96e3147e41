/**
 * Options of V8 by command. The launcher sets them before anything is loaded, because V8 does not use compiled code that was
 * kept under other options.
 */
'use strict';

module.exports = new Map([
  [
    'up',
    [
      // V8 may let garbage grow to several times the size of the objects in use. Measured with 12,000 alerts that were raised and
      // resolved: 36 MB of old objects in use took up to 143 MB. With this growth the process takes 160 MB instead of 200 to
      // 245 MB, with the same CPU time. Collections when idle (src/cli/up/idle-collection.ts) reduce this to about 110 MB.
      '--heap-growing-percent=40',
      // V8 allocates the literals of a place among the old objects when many of them outlived a collection. That happens by
      // chance, while the young generation is still small. The objects of every later message are then garbage that only a full
      // collection finds, with all that they refer to. Measured: 10 MB of 200 with sixteen busy clients, and up to 140 MB of 400
      // with 500 busy watches.
      '--no-allocation-site-pretenuring',
      // For the collections when idle.
      '--expose-gc',
    ],
  ],
]);
