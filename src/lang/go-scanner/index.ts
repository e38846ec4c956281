export { matchDuration, PROMETHEUS_UNITS, readDurationNs, readRange } from './duration.ts'
export { characterFault, openComment, stringFault, type ScanFault } from './faults.ts'
export { readNumber, type NumberReading } from './number.ts'
export {
  matching,
  matchNumber,
  matchString,
  NUMBER_STARTS,
  rawTypes,
  scanned,
  type Match,
  type RawTypes,
} from './patterns.ts'
