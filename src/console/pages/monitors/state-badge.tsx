import type { JSX } from 'preact'
import { texts } from '../../app/texts.ts'
import type { State } from './monitors.ts'

/** A state as a coloured word. */
export function StateBadge({ state }: { readonly state: State }): JSX.Element {
  return (
    <span class={`state-badge state-${state}`}>
      <span class="dot" aria-hidden="true" />
      {texts.monitors.states[state]}
    </span>
  )
}
