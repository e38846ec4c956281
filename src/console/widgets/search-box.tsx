import type { JSX } from 'preact'
import { setParams, view } from '../app/location.ts'

/** Text box that filters a list. The URL parameter `q` holds the text. */
export function SearchBox({ label }: { readonly label: string }): JSX.Element {
  return (
    <input
      type="search"
      class="search-box"
      aria-label={label}
      placeholder={label}
      autocomplete="off"
      value={view.value.params.get('q') ?? ''}
      onInput={(event) => setParams({ q: event.currentTarget.value, page: undefined }, 'same')}
    />
  )
}
