import type { JSX } from 'preact'
import { setParams } from '../app/location.ts'
import { texts } from '../app/texts.ts'

interface Props {
  readonly message: string
  readonly hint: string
}

/** Reports that a search has no results, and offers the last seven days. */
export function NothingFound({ message, hint }: Props): JSX.Element {
  return (
    <section class="empty">
      <p>{message}</p>
      <p class="note">{hint}</p>
      <button type="button" class="button" onClick={() => setParams({ from: 'now-7d', to: 'now' })}>
        {texts.rows.wider}
      </button>
    </section>
  )
}
