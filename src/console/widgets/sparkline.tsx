import type { JSX } from 'preact'
import { count } from '../app/numbers.ts'

/** Height of the drawing in its own units; the style sheet scales it. */
const HEIGHT = 100

/** Minimum height of a bar that is not zero, so that it is visible: two pixels. */
const LEAST_HEIGHT = 10

interface Props {
  readonly values: readonly number[]
  readonly label: string
}

/** Counts over time as small bars, scaled to the largest one. */
export function Sparkline({ values, label }: Props): JSX.Element | null {
  const most = Math.max(0, ...values)
  if (most === 0) return null
  const heightOf = (value: number): number => Math.max(LEAST_HEIGHT, (value / most) * HEIGHT)
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${values.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${values.map(count).join(', ')}`}
    >
      {values.map((value, i) =>
        value === 0 ? null : (
          <rect key={i} x={i + 0.1} width={0.8} y={HEIGHT - heightOf(value)} height={heightOf(value)} />
        ),
      )}
    </svg>
  )
}
