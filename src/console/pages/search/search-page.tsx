import { useMemo, useRef } from 'preact/hooks'
import type { JSX } from 'preact'
import { setParams, view as currentView } from '../../app/location.ts'
import { count, milliseconds } from '../../app/numbers.ts'
import { session, useServices } from '../../app/services.ts'
import { columns as columnsOf, zone } from '../../app/settings.ts'
import { loadState } from '../../app/files.ts'
import { texts } from '../../app/texts.ts'
import { rangeOfWords } from '../../app/time-words.ts'
import {
  everyRow,
  isDialect,
  type Domain,
  type LogLanguage,
  type QueryLanguage,
  type ShownRow,
  type TimeRange,
} from '../../ask/requests.ts'
import type { EditorLanguage } from '../../editor/code-editor.ts'
import { Failure } from '../../widgets/failure.tsx'
import { FilesPanel } from '../../widgets/files-panel.tsx'
import { NothingFound } from '../../widgets/nothing-found.tsx'
import { LiveTail } from './live-tail.tsx'
import { QueryBar, useQuery } from './query-bar.tsx'
import { answerForms } from './answer-forms.ts'
import { Facets } from './facets.tsx'
import { Histogram } from './histogram.tsx'
import type { LogqlLanguage } from './logql-language.ts'
import { wordsOf } from './marked.tsx'
import { RowDetail } from './row-detail.tsx'
import { timeOf } from './row-parts.ts'
import { RowsList } from './rows-list.tsx'
import { Search, type SearchView, type Shown } from './search.ts'

/** Default number of rows that a search reads, and the numbers that the user can choose. */
const DEFAULT_ROWS = 1000
const OFFERED_ROWS = [100, 1000, 10_000, 100_000, 1_000_000]
/** Numbers of rows that the user can choose in LogQL. A server returns at most 5,000 entries at once. */
const OFFERED_ENTRIES = [100, 1000, 5000]

/** Default columns of the tables. */
const FIRST_COLUMNS: Readonly<Record<Domain, readonly string[]>> = {
  logs: ['workload'],
  events: ['kind', 'name'],
  traces: ['workload', 'duration_seconds'],
}

function offeredRows(language: LogLanguage): readonly number[] {
  return isDialect(language) ? OFFERED_ROWS : OFFERED_ENTRIES
}

function languageOf(domain: Domain, name: string | undefined): LogLanguage {
  return name === 'logsql' || (name === 'logql' && domain === 'logs') ? name : 'native'
}

function viewOfParams(domain: Domain, params: ReadonlyMap<string, string>): SearchView {
  const dialect = languageOf(domain, params.get('dialect'))
  const most = isDialect(dialect) ? Infinity : Math.max(...OFFERED_ENTRIES)
  const maxRows = Math.min(most, Number(params.get('rows') ?? DEFAULT_ROWS))
  return {
    domain,
    query: params.get('q') ?? '',
    from: params.get('from') ?? 'now-1h',
    to: params.get('to') ?? 'now',
    dialect,
    maxRows: Number.isInteger(maxRows) && maxRows > 0 ? maxRows : DEFAULT_ROWS,
  }
}

/** Returns the languages that the user can choose. LogQL needs a server, but a URL may name it for files too. */
function languagesOf(domain: Domain, present: LogLanguage, isServer: boolean): readonly QueryLanguage[] {
  const hasLogql = domain === 'logs' && (isServer || present === 'logql')
  return hasLogql ? ['native', 'logsql', 'logql'] : ['native', 'logsql']
}

/** False if rows have arrived and none of the first ones has the field. */
function isAnswered(shown: Shown | undefined, field: string): boolean {
  return shown === undefined || shown.state.rows === 0 || shown.state.fields.includes(field)
}

function Status({ search, shown }: { readonly search: Search; readonly shown: Shown | undefined }): JSX.Element {
  if (shown === undefined) return <p class="status" role="status" />
  const { rows, elapsedMs, isCut } = shown.state
  return (
    <p class="status" role="status">
      {search.isRunning.value
        ? texts.rows.running(count(rows))
        : texts.rows.done(isCut ? texts.rows.cut(count(rows)) : count(rows), milliseconds(elapsedMs))}
    </p>
  )
}

interface ResultsProps {
  readonly search: Search
  readonly shown: Shown
  readonly columns: readonly string[]
  readonly selected: number | undefined
  readonly onSelect: (row: number | undefined) => void
  readonly onToggleColumn: (name: string) => void
}

function Results({ search, shown, columns, selected, onSelect, onToggleColumn }: ResultsProps): JSX.Element {
  const { params } = currentView.value
  const forms = answerForms(shown)
  const form = forms.find(({ id }) => id === params.get('form')) ?? forms[0]
  const words = useMemo(() => wordsOf(shown.view.query, shown.view.dialect), [shown.view])
  const more = offeredRows(shown.view.dialect).find((rows) => rows > shown.view.maxRows)
  const isEmpty = shown.state.isDone && shown.state.rows === 0
  return (
    <>
      <div class="toolbar">
        <div class="tabs" role="tablist">
          {forms.map(({ id, title }) => (
            <button
              type="button"
              role="tab"
              key={id}
              aria-selected={id === form?.id}
              onClick={() => setParams({ form: id === forms[0]?.id ? undefined : id }, 'same')}
            >
              {title}
            </button>
          ))}
        </div>
        <Status search={search} shown={shown} />
        {shown.state.isCut && more !== undefined && (
          <button type="button" class="button" onClick={() => setParams({ rows: String(more) })}>
            {texts.rows.more}
          </button>
        )}
        <ExportButtons shown={shown} />
      </div>
      {shown.state.advice.map((advice) => (
        <p class="advice" key={advice}>
          {advice}
        </p>
      ))}
      {isEmpty && form?.id !== 'explain' ? (
        <NothingFound message={texts.rows.empty} hint={texts.rows.emptyHint} />
      ) : form?.id === 'rows' ? (
        <RowsList
          // A new query starts at its first row. Loading more rows of the same query keeps the scroll position.
          key={JSON.stringify({ ...shown.view, maxRows: 0 })}
          shown={shown}
          columns={columns}
          words={words}
          selected={selected}
          onSelect={onSelect}
          onRemoveColumn={onToggleColumn}
        />
      ) : (
        form !== undefined && <form.View shown={shown} />
      )}
    </>
  )
}

function ExportButtons({ shown }: { readonly shown: Shown }): JSX.Element {
  const { ask } = useServices()
  const save = async (format: 'ndjson' | 'csv'): Promise<void> => {
    const address = URL.createObjectURL(await ask('export', { answer: shown.answer, format }))
    const link = document.createElement('a')
    link.href = address
    link.download = `rows.${format}`
    link.click()
    URL.revokeObjectURL(address)
  }
  return (
    <span class="export">
      <button type="button" class="quiet" onClick={() => void save('ndjson')}>
        NDJSON
      </button>
      <button type="button" class="quiet" onClick={() => void save('csv')}>
        CSV
      </button>
    </span>
  )
}

/** Fields that tell where a row comes from, the narrowest ones first. */
const CONTEXT_FIELDS: ReadonlySet<string> = new Set(['pod', 'workload', 'namespace', '_file'])

/** Returns the query for the rows with the same origin as a row. */
function contextOf(row: ShownRow, language: LogLanguage): string {
  const same = row.filter(({ name }) => CONTEXT_FIELDS.has(name)).slice(0, 2)
  if (isDialect(language)) return same.map(({ name, text }) => `${name}:=${JSON.stringify(text)}`).join(' ')
  return [everyRow(language), ...same.map(({ name, text }) => `${name}=${JSON.stringify(text)}`)].join(' | ')
}

/** Returns the language service for LogQL, which is loaded at the first use. */
function lazyLogql(...given: ConstructorParameters<typeof LogqlLanguage>): EditorLanguage {
  let loaded: Promise<EditorLanguage> | undefined
  const load = async (): Promise<EditorLanguage> => new (await import('./logql-language.ts')).LogqlLanguage(...given)
  return { call: (async (...asked) => (await (loaded ??= load())).call(...asked)) as EditorLanguage['call'] }
}

/** Searches rows of one kind. The URL determines everything that the page shows. */
function SearchPage({ domain }: { readonly domain: Domain }): JSX.Element {
  const { ask, language } = useServices()
  const search = useMemo(() => new Search(ask, language), [ask, language])
  const { params } = currentView.value
  const wanted = viewOfParams(domain, params)
  const { dialect } = wanted
  const times = useRef(wanted)
  times.current = wanted
  const logql = useMemo(
    () =>
      lazyLogql(ask, language, () =>
        rangeOfWords(times.current.from, times.current.to, Date.now(), zone.peek() === 'utc'),
      ),
    [ask, language],
  )
  const query = useQuery(search, wanted)
  const shown = search.shown.value
  const failure = search.failure.value
  const row = Number(params.get('row') ?? NaN)
  const rowCount = failure === undefined ? (shown?.state.rows ?? 0) : 0
  const selected = Number.isInteger(row) && row >= 0 && row < rowCount ? row : undefined
  const columns =
    params
      .get('cols')
      ?.split(',')
      .filter((name) => name !== '') ??
    columnsOf.value[domain] ??
    FIRST_COLUMNS[domain].filter((name) => isAnswered(shown, name))
  const toggleColumn = (name: string): void => {
    const next = columns.includes(name) ? columns.filter((column) => column !== name) : [...columns, name]
    columnsOf.value = { ...columnsOf.peek(), [domain]: next }
    setParams({ cols: next.length === 0 ? ',' : next.join(',') }, 'same')
  }
  const zoom = ({ startMs, endMs }: TimeRange): void =>
    setParams({ from: new Date(startMs).toISOString(), to: new Date(endMs).toISOString(), row: undefined })
  const showContext = (row: ShownRow): void => {
    const ms = Date.parse(timeOf(row) ?? '')
    if (Number.isNaN(ms)) return
    setParams({
      q: contextOf(row, wanted.dialect),
      from: new Date(ms - 30_000).toISOString(),
      to: new Date(ms + 30_000).toISOString(),
      row: undefined,
      form: undefined,
    })
  }
  const isServer = session.value !== 'signed-out' && session.value?.source === 'server'
  const canTail = isServer && domain === 'logs' && isDialect(dialect)
  const isLive = canTail && params.get('live') === 'on'
  const isWaiting = !isServer && loadState.value === undefined
  return (
    <div class="search">
      <QueryBar
        search={search}
        wanted={wanted}
        query={query}
        languages={languagesOf(domain, dialect, isServer)}
        {...(isDialect(dialect) ? {} : { language: logql, placeholder: texts.query.logqlPlaceholder })}
        actions={
          canTail && (
            <button
              type="button"
              class="button"
              aria-pressed={isLive}
              onClick={() => setParams({ live: isLive ? undefined : 'on', row: undefined })}
            >
              {texts.tail.start}
            </button>
          )
        }
      >
        <select
          aria-label={texts.query.maxRows}
          value={String(wanted.maxRows)}
          onChange={(event) => setParams({ rows: event.currentTarget.value })}
        >
          {offeredRows(dialect).map((rows) => (
            <option key={rows} value={String(rows)}>
              {count(rows)}
            </option>
          ))}
        </select>
      </QueryBar>
      {!isServer && <FilesPanel />}
      {!isWaiting && (
        <div class="search-body">
          {failure === undefined && isDialect(dialect) && shown?.shape !== 'groups' && (
            <Facets
              facets={search.overview.facets.value}
              sinceMs={search.overview.countedSinceMs.value}
              columns={columns}
              onNarrow={query.narrow}
              onToggleColumn={toggleColumn}
            />
          )}
          <section class="results" aria-busy={search.isRunning.value}>
            {failure === undefined && !isLive && shown?.shape !== 'groups' && (
              <Histogram hits={search.overview.hits.value} onZoom={zoom} />
            )}
            {isLive ? (
              <LiveTail query={wanted.query} dialect={dialect} onStop={() => setParams({ live: undefined })} />
            ) : failure !== undefined ? (
              <Failure
                failure={failure}
                query={wanted.query}
                onFix={query.write}
                onRetry={() => void search.run(wanted)}
              />
            ) : (
              shown !== undefined && (
                <Results
                  search={search}
                  shown={shown}
                  columns={columns}
                  selected={selected}
                  onSelect={(row) => setParams({ row: row === undefined ? undefined : String(row) }, 'same')}
                  onToggleColumn={toggleColumn}
                />
              )
            )}
          </section>
          {selected !== undefined && shown !== undefined && (
            <RowDetail
              answer={shown.answer}
              row={selected}
              rows={shown.state.rows}
              columns={columns}
              hasTraces={isServer}
              onSelect={(row) => setParams({ row: row === undefined ? undefined : String(row) }, 'same')}
              canNarrow={(field) => isDialect(dialect) || (shown.shape === 'rows' && field !== '_time')}
              onNarrow={query.narrow}
              onToggleColumn={toggleColumn}
              onContext={showContext}
            />
          )}
        </div>
      )}
    </div>
  )
}

export function LogsPage(): JSX.Element {
  return <SearchPage domain="logs" />
}

export function EventsPage(): JSX.Element {
  return <SearchPage domain="events" />
}
