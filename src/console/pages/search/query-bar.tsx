import { useEffect } from 'preact/hooks'
import type { ComponentChildren, JSX } from 'preact'
import { loads } from '../../app/files.ts'
import { bindKeys } from '../../app/keys.ts'
import { setParams } from '../../app/location.ts'
import { dataChanges, useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import { everyRow, isDialect, type QueryLanguage } from '../../ask/requests.ts'
import type { EditorLanguage } from '../../editor/code-editor.ts'
import { QueryEditor } from '../../widgets/query-editor.tsx'
import { TimePicker } from '../../widgets/time-picker.tsx'
import { useDraft, type Draft } from '../../widgets/use-draft.ts'
import { tableOf } from './answers.ts'
import { QueryHistory } from './query-history.tsx'
import type { AskedView, QueryRun } from './query-run.ts'

/** The query of a page, with the actions that change it. */
export interface Query {
  readonly draft: Draft
  /** Writes the typed text into the URL and runs the query. */
  readonly run: () => void
  /** Replaces the text and runs the query. */
  readonly write: (text: string) => void
  /** Adds a condition for a value of a field to the text, or one that excludes the value, and runs the query. */
  readonly narrow: (field: string, value: string, isExcluded: boolean) => void
}

/** Returns the kind of text of a language. All dialects of the log language have the same kind. */
function textKind(language: QueryLanguage): string {
  return isDialect(language) ? 'log' : language
}

/**
 * Runs the search that the URL describes. Runs it again when the URL or the data change, and when the user runs the
 * same text.
 */
export function useQuery<View extends AskedView>(search: QueryRun<View>, wanted: View): Query {
  const { language } = useServices()
  const draft = useDraft(wanted.query, textKind(wanted.dialect))
  const key = JSON.stringify(wanted)
  useEffect(() => {
    void search.run(wanted)
  }, [key, loads.value, dataChanges.value])
  useEffect(() => () => search.cancel(), [search])
  const run = (query = draft.text()): void => {
    if (query === wanted.query) void search.run(wanted)
    else setParams({ q: query, row: undefined, form: undefined })
  }
  useEffect(
    () =>
      bindKeys([
        { key: 'Escape', help: texts.query.cancel, run: () => search.cancel() },
        { key: 'Ctrl+Enter', help: texts.query.runHint, run: () => run() },
      ]),
    [search, key],
  )
  const write = (query: string): void => {
    draft.write(query)
    run(query)
  }
  const { domain, dialect } = wanted
  const narrow = async (field: string, value: string, isExcluded: boolean): Promise<void> => {
    // A list of traces has no fields and values.
    if (dialect === 'traceql') return
    const typed = draft.text()
    const text = typed.trim() === '' && !isDialect(dialect) ? everyRow(dialect) : typed
    const request = { text, table: tableOf[domain], dialect, field, value, isExcluded }
    write(await language.call('narrow', request))
  }
  return { draft, run: () => run(), write, narrow: (...given) => void narrow(...given) }
}

interface Props<View extends AskedView> {
  readonly search: QueryRun<View>
  readonly wanted: View
  readonly query: Query
  readonly placeholder?: string
  /** Languages that the user can choose. Default: the dialects of the log language. */
  readonly languages?: readonly QueryLanguage[]
  /** Language service of the editor. Default: that of the log language. */
  readonly language?: EditorLanguage
  /** Content before the history. */
  readonly children?: ComponentChildren
  /** Content after the history. */
  readonly actions?: ComponentChildren
}

/**
 * Switches to another language. Dialects of one language keep the text. For another language the text is empty, and the
 * back button returns to the previous text.
 */
function chooseLanguage(present: QueryLanguage, next: QueryLanguage, typed: string): void {
  const dialect = next === 'native' ? undefined : next
  if (textKind(present) === textKind(next)) {
    setParams({ dialect })
    return
  }
  setParams({ q: typed }, 'same')
  setParams({ dialect, q: undefined, row: undefined, form: undefined })
}

/** The query form: text, dialect, history and time range. */
export function QueryBar<View extends AskedView>(props: Props<View>): JSX.Element {
  const { search, wanted, query, children, actions, languages = ['native', 'logsql'], ...editor } = props
  const { domain, dialect, from, to } = wanted
  return (
    <form class="query-bar" onSubmit={(event) => (event.preventDefault(), query.run())}>
      <QueryEditor
        // An editor cannot change its language service, so another kind of text gets a new editor.
        key={textKind(dialect)}
        value={query.draft.value}
        table={tableOf[domain]}
        dialect={dialect}
        onChange={query.draft.onChange}
        onRun={query.run}
        {...editor}
      />
      <select
        aria-label={texts.query.dialect}
        value={dialect}
        onChange={(event) => chooseLanguage(dialect, event.currentTarget.value as QueryLanguage, query.draft.text())}
      >
        {languages.map((language) => (
          <option key={language} value={language}>
            {texts.query.languages[language]}
          </option>
        ))}
      </select>
      {children}
      <QueryHistory language={dialect} text={query.draft.text} onChoose={query.write} />
      {actions}
      <TimePicker from={from} to={to} onChange={(start, end) => setParams({ from: start, to: end, row: undefined })} />
      {search.isRunning.value ? (
        <button type="button" class="button" onClick={() => search.cancel()}>
          {texts.query.cancel}
        </button>
      ) : (
        <button class="button primary" title={texts.query.runHint}>
          {texts.query.run}
        </button>
      )}
    </form>
  )
}
