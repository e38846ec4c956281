import type { JSX } from 'preact'
import { setParams, view } from '../app/location.ts'

/** Filters a list by a text, which stands in the link as `q`. */
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
