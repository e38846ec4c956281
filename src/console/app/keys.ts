import { signal } from '@preact/signals'

/** A key binding, as the help lists it. */
export interface KeyBinding {
  /** Like `KeyboardEvent.key`, with the prefix `Ctrl+` for the control or command key. */
  readonly key: string
  readonly help: string
  readonly run: () => void
}

const bound = signal<readonly KeyBinding[]>([])

/** All current key bindings. */
export const bindings = bound

/** Binds keys until the returned function is called. A later binding of the same key takes precedence. */
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
  // An open dialog or menu handles keys itself; Escape closes it.
  if (document.querySelector('dialog[open], :popover-open') !== null) return
  const isControl = event.ctrlKey || event.metaKey
  if (isTyping(event.target) && event.key !== 'Escape' && !isControl) return
  const name = `${isControl ? 'Ctrl+' : ''}${event.key}`
  const binding = bound.peek().findLast(({ key }) => key === name)
  if (binding === undefined) return
  event.preventDefault()
  binding.run()
})
