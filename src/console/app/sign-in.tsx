import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { failureOf } from '../ask/ask-error.ts'
import { formText } from './form-text.ts'
import { session, useServices } from './services.ts'
import { texts } from './texts.ts'

/** Asks for a key. The link that was opened stays as it is, so its view appears behind the sign-in. */
export function SignIn({ message }: { readonly message: string }): JSX.Element {
  const { ask } = useServices()
  const [fault, setFault] = useState(message)
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const key = formText(event.currentTarget, 'key')
    setIsBusy(true)
    try {
      session.value = await ask('signIn', { key })
    } catch (error) {
      setFault(failureOf(error).message)
      setIsBusy(false)
    }
  }
  return (
    <main class="sign-in">
      <form onSubmit={(event) => void submit(event)}>
        <h1>
          <span class="mark" aria-hidden="true" />
          {texts.product}
        </h1>
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
    </main>
  )
}
