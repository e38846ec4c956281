export { readAddressSet } from './addresses.ts'
export { readCapturePattern, type PatternSegment } from './capture-pattern.ts'
export {
  ENTRY_CATEGORIES,
  ENTRY_LABELS,
  ENTRY_LINE,
  ENTRY_STREAM,
  ENTRY_VALUE,
  labelColumn,
  type DiscoveredLabel,
  type EntryResult,
  type LogqlParams,
} from './entries.ts'
export { ERROR_DETAILS_LABEL, ERROR_LABEL, labelName } from './entry.ts'
export { fieldsOfLine } from './line-fields.ts'
export * from './stage.ts'
export { stageFunctions, type TemplateData } from './template/index.ts'
export type { StageTemplate, TemplateResult } from './templates.ts'
export { readGoDuration, readGoFloat, readSize } from './units.ts'
