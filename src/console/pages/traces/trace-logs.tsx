import { useEffect, useMemo, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { failureOf } from '../../ask/ask-error.ts'
import { goTo, linkTo, viewOf } from '../../app/location.ts'
import { count } from '../../app/numbers.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import type { AskFailure, QueryState, TimeRange } from '../../ask/requests.ts'
import { Failure } from '../../widgets/failure.tsx'
import { VirtualList, type Visible } from '../../widgets/virtual-list.tsx'
import { RowCache } from '../search/row-cache.ts'
import { levelClass, levelOf, messageOf, timeOf } from '../search/row-parts.ts'
import { nextAnswer } from '../search/answers.ts'
import { spanDuration } from './trace-times.ts'
import { ofTrace } from './trace-condition.ts'

/** Maximum number of log rows that are read; the logs page can read more. */
const MAX_LOGS = 10_000

/** Height of a row in pixels, as in the style sheet. */
const ROW_HEIGHT = 24

interface Props {
  readonly id: string
  readonly range: TimeRange
  /** Start of the trace, Unix ms. */
  readonly startMs: number
}

/** Log rows of a trace in time order. Each row links to the logs page. */
export function TraceLogs({ id, range, startMs }: Props): JSX.Element {
  const { ask } = useServices()
  const [state, setState] = useState<QueryState>()
  const [failure, setFailure] = useState<AskFailure>()
  const [selected, setSelected] = useState<number>()
  const [visible, setVisible] = useState<Visible>({ from: 0, to: 0 })
  const answer = useMemo(nextAnswer, [id, range])
  const cache = useMemo(() => new RowCache(ask, answer), [ask, answer])
  const query = `${ofTrace(id)} | sort by (_time)`
  const rows = state?.rows ?? 0
  useEffect(() => {
    const run = new AbortController()
    const request = { answer, domain: 'logs', query, range, dialect: 'native', maxRows: MAX_LOGS } as const
    ask('query', request, { signal: run.signal }).then(setState, (error: unknown) => {
      const found = failureOf(error)
      if (found.kind !== 'cancelled') setFailure(found)
    })
    return () => {
      run.abort()
      void ask('drop', { answer })
    }
  }, [ask, answer])
  useEffect(() => cache.want(visible.from, visible.to, rows), [cache, visible.from, visible.to, rows])
  void cache.version.value
  const times = { from: new Date(range.startMs).toISOString(), to: new Date(range.endMs).toISOString() }
  const open = (row: number): void => goTo(viewOf(linkTo('logs', { ...times, q: query, row: String(row) })))
  if (failure !== undefined) return <Failure failure={failure} />
  return (
    <div
      class="trace-logs"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && selected !== undefined) open(selected)
      }}
    >
      <p class="note">
        <span role="status">
          {state === undefined
            ? texts.rows.loading
            : rows === 0
              ? texts.traces.noLogs
              : texts.traces.logs(state.isCut ? texts.rows.cut(count(rows)) : count(rows))}
        </span>{' '}
        {rows > 0 && <a href={linkTo('logs', { ...times, q: query })}>{texts.traces.openLogs}</a>}
      </p>
      {rows > 0 && (
        <VirtualList
          class="rows"
          rowIds="log"
          count={rows}
          rowHeight={ROW_HEIGHT}
          label={texts.traces.logsOf}
          selected={selected}
          onSelect={setSelected}
          onVisible={setVisible}
          renderRow={(index) => {
            const row = cache.row(index)
            const level = row && levelOf(row)
            const message = row && messageOf(row)
            return (
              <div
                class={`row level-${level === undefined ? 'other' : levelClass(level)}`}
                role="row"
                id={`log-${index}`}
                key={index}
                aria-rowindex={index + 1}
                aria-selected={index === selected}
                title={message}
                onClick={() => open(index)}
              >
                <span class="cell offset" role="gridcell">
                  {row === undefined ? '' : offsetWords(Date.parse(timeOf(row) ?? '') - startMs)}
                </span>
                <span class="cell level" role="gridcell">
                  {level ?? ''}
                </span>
                <span class="cell message" role="gridcell">
                  {message ?? texts.rows.loading}
                </span>
              </div>
            )
          }}
        />
      )}
    </div>
  )
}

function offsetWords(ms: number): string {
  if (Number.isNaN(ms)) return ''
  return `${ms < 0 ? '−' : '+'}${spanDuration(Math.abs(ms))}`
}
