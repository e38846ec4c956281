import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { failureOf } from '../ask/ask-error.ts'
import { formText } from './form-text.ts'
import { session, useServices } from './services.ts'
import { texts } from './texts.ts'

interface FormProps {
  /** Reason why the user must sign in. */
  readonly message: string
  readonly onDone?: () => void
}

function KeyForm({ message, onDone }: FormProps): JSX.Element {
  const { ask } = useServices()
  const [fault, setFault] = useState(message)
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const key = formText(event.currentTarget, 'key')
    setIsBusy(true)
    try {
      session.value = await ask('signIn', { key })
      onDone?.()
    } catch (error) {
      setFault(failureOf(error).message)
      setIsBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label>
        {texts.signIn.key}
        <input name="key" type="password" autocomplete="current-password" required autoFocus />
      </label>
      <p class="fault" role="alert">
        {fault}
      </p>
      <button class="button primary" disabled={isBusy}>
        {texts.signIn.submit}
      </button>
      <p class="note">{texts.signIn.hint}</p>
    </form>
  )
}

/** Asks for a key. The URL stays unchanged, so its view appears after the sign-in. */
export function SignIn({ message }: { readonly message: string }): JSX.Element {
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <h1>
          <span class="mark" aria-hidden="true" />
          {texts.product}
        </h1>
        <KeyForm message={message} />
      </div>
    </main>
  )
}

/** Asks for a key in a dialog over the page, so that typed text is not lost. */
export function SignInDialog({ message, onDone, onClose }: FormProps & { readonly onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="dialog sign-in-dialog" onClose={onClose} aria-label={texts.signIn.title}>
      <h2>{texts.signIn.title}</h2>
      <KeyForm message={message} {...(onDone === undefined ? {} : { onDone })} />
    </dialog>
  )
}
