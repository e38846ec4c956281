export { ownBytes } from './process-memory.ts'
export { processTimes, threadTimes, type ScheduledTimes } from './scheduled-times.ts'
