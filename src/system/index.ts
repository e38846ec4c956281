export { availableBytes, ownBytes } from './process-memory.ts'
export { processTimes, threadTimes, ThreadTimes, type ScheduledTimes } from './scheduled-times.ts'
export { crc32 } from './crc32.ts'
export { moduleBeside } from './module-beside.ts'
