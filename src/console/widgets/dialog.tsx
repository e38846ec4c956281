import { useEffect, useId, useRef } from 'preact/hooks'
import type { ComponentChildren, JSX } from 'preact'

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog that is open while it is rendered. Esc closes it, and the focus returns to the previous element. */
export function Dialog({ title, onClose, children }: Props): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

interface AskProps {
  readonly title: string
  readonly text: string
  /** Label of the confirmation button. */
  readonly yes: string
  readonly no: string
  readonly onYes: () => void
  readonly onNo: () => void
}

/** Asks for confirmation before an action that cannot be undone. */
export function AskDialog({ title, text, yes, no, onYes, onNo }: AskProps): JSX.Element {
  return (
    <Dialog title={title} onClose={onNo}>
      <p class="dialog-text">{text}</p>
      <p class="dialog-actions">
        <button type="button" class="button" onClick={onNo} autoFocus>
          {no}
        </button>
        <button type="button" class="button danger" onClick={onYes}>
          {yes}
        </button>
      </p>
    </Dialog>
  )
}
