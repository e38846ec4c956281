import type MiniSearch from 'minisearch'
import { element, find } from './dom.ts'
import { searchOptions, type SearchEntry } from './search-options.ts'

/** Maximum number of results that are listed, as many as fit on a screen. */
const MAX_RESULTS = 12

async function load(address: string): Promise<MiniSearch<SearchEntry>> {
  const [{ default: Index }, answer] = await Promise.all([import('minisearch'), fetch(address)])
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  return Index.loadJSON<SearchEntry>(await answer.text(), searchOptions)
}

/** Makes the search field of a page search the index, which is loaded when the field gets the focus. */
export function addSearch(root: string, address: string): void {
  const box = find(document, '.search')
  const input = find(box, 'input') as HTMLInputElement
  const found = find(box, '.found')
  let index: Promise<MiniSearch<SearchEntry>> | undefined
  let asked = 0
  const hide = (): void => {
    found.hidden = true
  }
  const search = async (): Promise<void> => {
    const turn = (asked += 1)
    const text = input.value.trim()
    if (text === '') return hide()
    index ??= load(address)
    try {
      const results = (await index).search(text).slice(0, MAX_RESULTS)
      if (turn !== asked) return
      const items = results.map(({ id, title, page }) =>
        element(
          'li',
          {},
          element(
            'a',
            { href: root + String(id) },
            element('strong', {}, String(title)),
            ` ${page === title ? '' : String(page)}`,
          ),
        ),
      )
      found.replaceChildren(
        items.length === 0 ? element('p', {}, `Nothing is found for “${text}”.`) : element('ul', {}, ...items),
      )
    } catch (error) {
      index = undefined
      found.replaceChildren(element('p', {}, `The index cannot be loaded: ${String(error)}. Try again.`))
    }
    found.hidden = false
  }
  input.addEventListener('focus', () => void (index ??= load(address)).catch(() => (index = undefined)))
  input.addEventListener('input', () => void search())
  box.addEventListener('keydown', (event) => {
    const links = [input, ...found.querySelectorAll<HTMLElement>('a')]
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Escape') {
      hide()
      input.focus()
    } else if (event.key === 'Enter' && event.target === input) links[1]?.click()
    else if (step !== 0 && !found.hidden) {
      event.preventDefault()
      links[links.indexOf(event.target as HTMLElement) + step]?.focus()
    }
  })
  box.addEventListener('focusout', (event) => {
    if (!(event.relatedTarget instanceof Node && box.contains(event.relatedTarget))) hide()
  })
  box.hidden = false
}
