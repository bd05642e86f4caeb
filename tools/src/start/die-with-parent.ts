/**
 * Loaded into every process that `npm start` starts (`node --require`): when the parent is gone, however it died, the process
 * stops as if it had been asked to, so that nothing is left behind.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
