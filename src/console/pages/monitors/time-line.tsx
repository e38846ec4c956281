import type { JSX } from 'preact'
import { texts } from '../../app/texts.ts'
import { shortTime } from '../../app/times.ts'
import { lanesOf } from './lanes.ts'
import { stateOfWord, type Change, type Instance } from './monitors.ts'

/** Width of the drawing in its own units; the browser scales it. */
const WIDTH = 1000

/** Minimum width of a state, so that it is visible. */
const LEAST_WIDTH = 4

/** Maximum number of label sets that are drawn; the list below has all changes. */
const MAX_LANES = 30

interface Props {
  readonly history: readonly Change[]
  readonly instances: readonly Instance[]
  readonly endMs: number
  /** Names of labels that all label sets share; they are left out. */
  readonly shared: ReadonlySet<string>
}

function wordsOf(labels: Readonly<Record<string, string>>, shared: ReadonlySet<string>): string {
  const own = Object.entries(labels).filter(([name]) => !shared.has(name))
  return own.map(([name, value]) => `${name}=${value}`).join(' ')
}

/** States over time, one lane for each label set, followed by a list of all changes. */
export function TimeLine({ history, instances, endMs, shared }: Props): JSX.Element | null {
  if (history.length === 0) return <p class="note">{texts.monitors.noHistory}</p>
  const lanes = lanesOf(history, instances, endMs, MAX_LANES)
  const startMs = Math.min(endMs, ...lanes.flatMap(({ stretches }) => stretches.map((each) => each.startMs)))
  const x = (ms: number): number => (WIDTH * (ms - startMs)) / Math.max(1, endMs - startMs)
  return (
    <>
      <div class="lanes">
        {lanes.map(({ key, labels, stretches }) => {
          const name = wordsOf(labels, shared)
          const said = stretches.map(({ state, startMs: from }) => `${state} ${shortTime(from)}`).join(', ')
          return (
            <div class="lane" key={key}>
              <span class="lane-name" title={name}>
                {name === '' ? texts.monitors.noLabels : name}
              </span>
              <svg viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none" role="img" aria-label={said}>
                {stretches.map((each) => (
                  <rect
                    key={each.startMs}
                    class={`state-${stateOfWord(each.state)}`}
                    x={Math.min(x(each.startMs), WIDTH - LEAST_WIDTH)}
                    y={0}
                    width={Math.max(LEAST_WIDTH, x(each.endMs) - x(each.startMs))}
                    height={10}
                  />
                ))}
              </svg>
            </div>
          )
        })}
        <div class="lane axis">
          <span class="lane-name" />
          <span class="ends">
            <span>{shortTime(startMs)}</span>
            <span>{shortTime(endMs)}</span>
          </span>
        </div>
      </div>
      <details class="changes">
        <summary>{texts.monitors.changes(history.length)}</summary>
        <table class="resources small">
          <tbody>
            {history.toReversed().map((change, i) => (
              <tr key={i}>
                <td class="number">{shortTime(Date.parse(change.at))}</td>
                <td>
                  {change.from} → {change.to}
                  {change.reason !== undefined && <span class="note"> {change.reason}</span>}
                </td>
                <td class="main">{wordsOf(change.labels, shared)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}
