import { useEffect, useRef, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { failureOf } from '../../ask/ask-error.ts'
import { count } from '../../app/numbers.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import type { AskFailure, Dialect, ShownRow } from '../../ask/requests.ts'
import { Failure } from '../../widgets/failure.tsx'
import { VirtualList } from '../../widgets/virtual-list.tsx'
import { levelClass, levelOf, messageOf, timeOf } from './row-parts.ts'
import { RowTime } from './row-time.tsx'

/** Maximum number of rows that the tail keeps; older ones are dropped. */
const MAX_ROWS = 5000

/** Interval between redraws, ms, so that a burst of rows is drawn once. */
const DRAW_MS = 150

interface Props {
  readonly query: string
  readonly dialect: Dialect
  readonly onStop: () => void
}

/** New rows as they arrive, newest first. While the tail is paused, rows are collected and drawn when it continues. */
export function LiveTail({ query, dialect, onStop }: Props): JSX.Element {
  const { ask } = useServices()
  const arrived = useRef<ShownRow[]>([])
  const [rows, setRows] = useState<readonly ShownRow[]>([])
  const [dropped, setDropped] = useState(0)
  const [isPaused, setIsPaused] = useState(false)
  const [failure, setFailure] = useState<AskFailure>()
  useEffect(() => {
    const run = new AbortController()
    arrived.current = []
    setRows([])
    const onEvent = (message: { readonly rows: readonly ShownRow[]; readonly dropped: number }): void => {
      arrived.current = [...message.rows.toReversed(), ...arrived.current].slice(0, MAX_ROWS)
      if (message.dropped > 0) setDropped((before) => before + message.dropped)
    }
    ask('tail', { query: query.trim() === '' ? '*' : query, dialect }, { signal: run.signal, onEvent }).catch(
      (error: unknown) => {
        const found = failureOf(error)
        if (found.kind !== 'cancelled') setFailure(found)
      },
    )
    return () => run.abort()
  }, [ask, query, dialect])
  useEffect(() => {
    if (isPaused) return undefined
    const timer = setInterval(() => setRows(arrived.current), DRAW_MS)
    return () => clearInterval(timer)
  }, [isPaused])
  return (
    <>
      <div class="toolbar">
        <span class="live" aria-hidden="true" />
        <p class="status" role="status">
          {rows.length === 0 ? texts.tail.waiting : texts.tail.rows(count(rows.length))}
          {dropped > 0 && ` ${texts.tail.dropped(count(dropped))}`}
        </p>
        <button type="button" class="button" aria-pressed={isPaused} onClick={() => setIsPaused(!isPaused)}>
          {isPaused ? texts.tail.go : texts.tail.pause}
        </button>
        <button type="button" class="button" onClick={onStop}>
          {texts.tail.stop}
        </button>
      </div>
      {failure !== undefined && <Failure failure={failure} query={query} onRetry={onStop} />}
      <VirtualList
        class="rows"
        count={rows.length}
        rowHeight={24}
        label={texts.rows.list}
        selected={undefined}
        onSelect={() => undefined}
        onVisible={() => undefined}
        renderRow={(index) => {
          const row = rows[index] ?? []
          const level = levelOf(row)
          return (
            <div
              class={`row level-${level === undefined ? 'other' : levelClass(level)}`}
              role="row"
              key={rows.length - index}
            >
              <RowTime text={timeOf(row)} />
              <span class="cell level" role="gridcell">
                {level ?? ''}
              </span>
              <span class="cell message" role="gridcell">
                {messageOf(row)}
              </span>
            </div>
          )
        }}
      />
    </>
  )
}
