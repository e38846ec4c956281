import { effect, signal, type Signal } from '@preact/signals'
import { isDialect, type QueryLanguage } from '../ask/requests.ts'

/** Returns a setting that the browser stores. If the browser refuses storage, the setting lasts as long as the page. */
export function remembered<T>(name: string, initial: T): Signal<T> {
  const key = `sluice:${name}`
  let value = initial
  try {
    const stored = localStorage.getItem(key)
    if (stored !== null) value = JSON.parse(stored) as T
  } catch {
    // The stored text is invalid or cannot be read, so the setting has its default.
  }
  const setting = signal(value)
  effect(() => {
    try {
      localStorage.setItem(key, JSON.stringify(setting.value))
    } catch {
      // Storage is full or refused, so the setting lasts as long as the page.
    }
  })
  return setting
}

export type Theme = 'system' | 'light' | 'dark'

export const theme = remembered<Theme>('theme', 'system')
export const zone = remembered<'local' | 'utc'>('zone', 'local')
/** Columns shown in the row list, by kind of rows. */
export const columns = remembered<Readonly<Record<string, readonly string[]>>>('columns', {})
/** Widths of columns in pixels, by name. */
export const columnWidths = remembered<Readonly<Record<string, number>>>('column-widths', {})
/** Latest queries of each language, newest first. Both dialects of the log language share a history. */
const histories = {
  log: remembered<readonly string[]>('history', []),
  logql: remembered<readonly string[]>('history-logql', []),
  traceql: remembered<readonly string[]>('history-traceql', []),
}

export function historyOf(language: QueryLanguage): Signal<readonly string[]> {
  return isDialect(language) ? histories.log : histories[language]
}

/** Maximum number of queries in a history. */
const MAX_HISTORY = 100

export function remember(query: string, language: QueryLanguage): void {
  const text = query.trim()
  if (text === '') return
  const history = historyOf(language)
  history.value = [text, ...history.peek().filter((other) => other !== text)].slice(0, MAX_HISTORY)
}

effect(() => {
  document.documentElement.dataset['theme'] = theme.value
})
