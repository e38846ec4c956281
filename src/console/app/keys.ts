import { signal } from '@preact/signals'

/** A key and what it does, as the help lists it. */
export interface KeyBinding {
  /** As `KeyboardEvent.key`, with `Ctrl+` in front for the control or command key. */
  readonly key: string
  readonly help: string
  readonly run: () => void
}

const bound = signal<readonly KeyBinding[]>([])

/** All keys that work now. */
export const bindings = bound

/** Binds keys until the returned function is called; a later binding of a key wins. */
export function bindKeys(keys: readonly KeyBinding[]): () => void {
  bound.value = [...bound.peek(), ...keys]
  return () => {
    bound.value = bound.peek().filter((key) => !keys.includes(key))
  }
}

function isTyping(target: EventTarget | null): boolean {
  const element = target instanceof Element ? target : undefined
  return element?.closest('input, textarea, select, [contenteditable]') != null || element?.shadowRoot != null
}

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.altKey) return
  // An open dialog or menu has the keys; Escape closes it.
  if (document.querySelector('dialog[open], :popover-open') !== null) return
  const isControl = event.ctrlKey || event.metaKey
  if (isTyping(event.target) && event.key !== 'Escape' && !isControl) return
  const name = `${isControl ? 'Ctrl+' : ''}${event.key}`
  const binding = bound.peek().findLast(({ key }) => key === name)
  if (binding === undefined) return
  event.preventDefault()
  binding.run()
})
