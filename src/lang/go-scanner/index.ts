export {
  commentText,
  faultTexts,
  inDoubleQuotes,
  limitTexts,
  quoteFixes,
  unexpectedText,
  type FaultText,
  type Unexpected,
} from './diagnostics.ts'
export { matchDuration, PROMETHEUS_UNITS, readDurationNs, readRange } from './duration.ts'
export type { ScanFault } from './faults.ts'
export { readNumber, type GoNumber } from './number.ts'
export { matching, matchNumber, matchString, NUMBER_STARTS, rawTypes, scanned } from './patterns.ts'
export { readText, type ScannedText } from './read-text.ts'
export { scanner } from './scan.ts'
export { GoSession, type Report, type TextLimits } from './session.ts'
export { expand, GoSyntax, ignore, inReferenceOrder, RECORDING_LIMITS } from './syntax.ts'
