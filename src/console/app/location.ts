import { signal, type ReadonlySignal } from '@preact/signals'

/** State of the page as encoded in its URL: `#/logs?q=level:error&from=now-1h`. */
export interface View {
  readonly page: string
  readonly params: ReadonlyMap<string, string>
}

export const FIRST_PAGE = 'logs'

export function viewOf(hash: string): View {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  return { page: path === '' ? FIRST_PAGE : path, params: new Map(new URLSearchParams(search)) }
}

export function hashOf({ page, params }: View): string {
  const search = new URLSearchParams([...params]).toString()
  return `#/${page}${search === '' ? '' : `?${search}`}`
}

const current = signal(viewOf(location.hash))

/** The view that the current URL encodes. */
export const view: ReadonlySignal<View> = current

/** Returns true if the user may leave a view with unsaved changes for the next one. */
let mayLeave: ((next: View) => boolean) | undefined

/** Calls `asks` before another view is shown, until the returned function is called. */
export function holdView(asks: (next: View) => boolean): () => void {
  mayLeave = asks
  return () => {
    if (mayLeave === asks) mayLeave = undefined
  }
}

function follow(): void {
  const next = viewOf(location.hash)
  if (mayLeave?.(next) === false) history.pushState(null, '', hashOf(current.peek()))
  else current.value = next
}
addEventListener('popstate', follow)
addEventListener('hashchange', follow)

/** `step` adds a history entry, so that the back button returns to this view. `same` replaces the current entry. */
type Move = 'step' | 'same'

export function goTo(next: View, move: Move = 'step'): void {
  const hash = hashOf(next)
  if (hash === location.hash || mayLeave?.(next) === false) return
  if (move === 'step') history.pushState(null, '', hash)
  else history.replaceState(null, '', hash)
  current.value = next
}

/** Sets URL parameters of the current page; `undefined` removes one. */
export function setParams(changes: Readonly<Record<string, string | undefined>>, move: Move = 'step'): void {
  const { page, params } = current.peek()
  const next = new Map(params)
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  goTo({ page, params: next }, move)
}

/** Returns a link to another page with the same time range. */
export function linkTo(page: string, params: Readonly<Record<string, string>> = {}): string {
  const kept = [...view.value.params].filter(([name]) => ['from', 'to', 'backend'].includes(name))
  return hashOf({ page, params: new Map([...kept, ...Object.entries(params)]) })
}
