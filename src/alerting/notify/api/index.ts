export { AlertmanagerApi, type AlertmanagerApiTools } from './api.ts'
export type { ApiAnswer } from './refusal.ts'
export type { SilenceStore, StoredSilence } from './silences.ts'
