import { useEffect } from 'preact/hooks'
import type { ComponentChildren, JSX } from 'preact'
import { loads } from '../../app/files.ts'
import { bindKeys } from '../../app/keys.ts'
import { setParams } from '../../app/location.ts'
import { dataChanges, useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import { QueryEditor } from '../../widgets/query-editor.tsx'
import { TimePicker } from '../../widgets/time-picker.tsx'
import { useDraft, type Draft } from '../../widgets/use-draft.ts'
import { tableOf } from './answers.ts'
import { QueryHistory } from './query-history.tsx'
import type { AskedView, SearchRun } from './search-run.ts'

/** The query of a page while it is edited. */
export interface Query {
  readonly draft: Draft
  /** Runs what is typed; the link names it. */
  readonly run: () => void
  /** Replaces the text and runs it. */
  readonly write: (text: string) => void
  /** Adds a condition on a field to the text, or excludes its value, and runs it. */
  readonly narrow: (field: string, value: string, isExcluded: boolean) => void
}

/** Searches what the link says: again when it changes, when the data do, and when the user runs the same text. */
export function useQuery<View extends AskedView>(search: SearchRun<View>, wanted: View): Query {
  const { language } = useServices()
  const draft = useDraft(wanted.query)
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
    const request = { text: draft.text(), table: tableOf[domain], dialect, field, value, isExcluded }
    write(await language.call('narrow', request))
  }
  return { draft, run: () => run(), write, narrow: (...given) => void narrow(...given) }
}

interface Props<View extends AskedView> {
  readonly search: SearchRun<View>
  readonly wanted: View
  readonly query: Query
  readonly placeholder?: string
  /** Stands before the history. */
  readonly children?: ComponentChildren
  /** Stands behind the history. */
  readonly actions?: ComponentChildren
}

/** The form of a query: its text, dialect, history and time. */
export function QueryBar<View extends AskedView>(props: Props<View>): JSX.Element {
  const { search, wanted, query, children, actions, ...editor } = props
  const { domain, dialect, from, to } = wanted
  return (
    <form class="query-bar" onSubmit={(event) => (event.preventDefault(), query.run())}>
      <QueryEditor
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
        onChange={(event) => setParams({ dialect: event.currentTarget.value === 'logsql' ? 'logsql' : undefined })}
      >
        <option value="native">Sluice</option>
        <option value="logsql">LogsQL</option>
      </select>
      {children}
      <QueryHistory text={query.draft.text} onChoose={query.write} />
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
