import { Component, type ComponentChildren, type ComponentType, type JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { failureOf } from '../ask/ask-error.ts'
import { bindKeys, bindings } from './keys.ts'
import { goTo, linkTo, setParams, view } from './location.ts'
import { pageOf, pages, type Page } from './pages.ts'
import { dataChanges, session, useServices } from './services.ts'
import { theme, type Theme } from './settings.ts'
import { SignIn } from './sign-in.tsx'
import { texts } from './texts.ts'

function Navigation({ isServer }: { readonly isServer: boolean }): JSX.Element {
  const nav = useRef<HTMLElement>(null)
  const { page } = view.value
  // Scrolls the current page into view, since a narrow window shows only part of the menu.
  useEffect(() => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'nearest' }), [page])
  return (
    <nav aria-label={texts.app.menu} ref={nav}>
      {pages
        .filter(({ needs }) => needs === 'any' || isServer)
        .map(({ id, title }) => (
          <a key={id} href={linkTo(id)} aria-current={page === id ? 'page' : undefined}>
            {title}
          </a>
        ))}
    </nav>
  )
}

function ThemeChoice(): JSX.Element {
  const names: readonly Theme[] = ['system', 'light', 'dark']
  return (
    <select
      aria-label={texts.app.theme}
      value={theme.value}
      onChange={(event) => (theme.value = names.find((name) => name === event.currentTarget.value) ?? 'system')}
    >
      {names.map((name) => (
        <option key={name} value={name}>
          {texts.app[name]}
        </option>
      ))}
    </select>
  )
}

/** Selects the backend whose data the console shows, and reloads the page. */
function BackendChoice({ backends }: { readonly backends: readonly string[] }): JSX.Element {
  const { ask } = useServices()
  const { params } = view.value
  const wanted = params.get('backend')
  const chosen = wanted !== undefined && backends.includes(wanted) ? wanted : (backends[0] ?? '')
  useEffect(() => {
    void ask('useBackend', { id: chosen }).then(() => dataChanges.value++)
  }, [ask, chosen])
  return (
    <select
      aria-label={texts.app.backend}
      value={chosen}
      onChange={(event) => setParams({ backend: event.currentTarget.value })}
    >
      {backends.map((id) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  )
}

/** Lists all current key bindings. */
function KeysDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const shown = new Map(bindings.value.map(({ key, help }) => [key, help]))
  return (
    <dialog ref={dialog} class="dialog" onClose={onClose} aria-label={texts.app.keys}>
      <h2>{texts.app.keys}</h2>
      <dl class="keys">
        {[...shown].map(([key, help]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{help}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button class="button">{texts.detail.close}</button>
      </form>
    </dialog>
  )
}

/** Error boundary: shows an error in place of its children, so that the rest of the page keeps working. */
class Guard extends Component<{ readonly children: ComponentChildren }, { readonly message: string | undefined }> {
  override state = { message: undefined }

  static override getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : String(error) }
  }

  override render(): ComponentChildren {
    const { message } = this.state
    if (message === undefined) return this.props.children
    return (
      <section class="failure" role="alert">
        <p class="message">{texts.errors.page}</p>
        <p class="note">{message}</p>
        <button type="button" class="button" onClick={() => this.setState({ message: undefined })}>
          {texts.errors.again}
        </button>
      </section>
    )
  }
}

function UnknownPage({ name }: { readonly name: string }): JSX.Element {
  return (
    <section class="empty">
      <p>{texts.errors.unknownPage(name)}</p>
      <a class="button" href={linkTo('logs')}>
        {texts.errors.goLogs}
      </a>
    </section>
  )
}

function PageHost({ page }: { readonly page: Page }): JSX.Element | null {
  const [shown, setShown] = useState<{ readonly id: string; readonly Content: ComponentType }>()
  useEffect(() => {
    let isGone = false
    void page.load().then((Content) => {
      if (!isGone) setShown({ id: page.id, Content })
    })
    return () => {
      isGone = true
    }
  }, [page.id])
  return shown?.id === page.id ? (
    <Guard key={page.id}>
      <shown.Content />
    </Guard>
  ) : null
}

/** Returns the single-use sign-in code of a printed link, and removes it from the address bar at once. */
function takeCode(): string | undefined {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1]
  if (code !== undefined) goTo({ page: 'logs', params: new Map() }, 'same')
  return code
}

export function App(): JSX.Element {
  const { ask } = useServices()
  const [message, setMessage] = useState('')
  const [hasKeys, setHasKeys] = useState(false)
  useEffect(() => {
    const code = takeCode()
    const open = async (): Promise<void> => {
      let fault = ''
      if (code !== undefined) {
        try {
          session.value = await ask('signIn', { code })
          return
        } catch (error) {
          // Signing in with the code failed, but the browser may still have a session.
          fault = failureOf(error).message
        }
      }
      try {
        session.value = await ask('session', undefined)
      } catch (error) {
        const failure = failureOf(error)
        setMessage(failure.kind === 'signed-out' ? fault : failure.message)
        session.value = 'signed-out'
      }
    }
    void open()
    return bindKeys([
      { key: '?', help: texts.app.keys, run: () => setHasKeys(true) },
      ...pages.map(({ id, title }, i) => ({
        key: `${i + 1}`,
        help: title,
        run: () => goTo({ page: id, params: new Map() }),
      })),
    ])
  }, [])
  const who = session.value
  if (who === undefined) return <main class="starting" aria-busy="true" />
  if (who === 'signed-out') return <SignIn message={message} />
  const isServer = who.source === 'server'
  const asked = pageOf(view.value.page)
  const page = asked?.needs === 'server' && !isServer ? undefined : asked
  const signOut = (): void => {
    ask('signOut', undefined).then(
      () => (session.value = 'signed-out'),
      (error: unknown) => {
        const failure = failureOf(error)
        if (failure.kind === 'signed-out') session.value = 'signed-out'
        else setMessage(`${texts.signIn.outFailed} ${failure.message}`)
      },
    )
  }
  return (
    <>
      <a
        class="skip"
        href="#content"
        onClick={(event) => (event.preventDefault(), document.querySelector<HTMLElement>('#content')?.focus())}
      >
        {texts.app.skip}
      </a>
      <header class="top">
        <a class="brand" href={linkTo('logs')}>
          <span class="mark" aria-hidden="true" />
          {texts.product}
        </a>
        <Navigation isServer={isServer} />
        <div class="account">
          <button type="button" class="quiet" aria-label={texts.app.keys} onClick={() => setHasKeys(true)}>
            ?
          </button>
          {isServer && who.backends.length > 1 && <BackendChoice backends={who.backends} />}
          <ThemeChoice />
          {isServer && (
            <button type="button" class="quiet" onClick={signOut} title={who.user}>
              {texts.signIn.out}
            </button>
          )}
        </div>
      </header>
      {message !== '' && (
        <p class="banner" role="alert">
          {message}
          <button type="button" class="quiet" onClick={() => setMessage('')}>
            {texts.detail.close}
          </button>
        </p>
      )}
      <main id="content" tabIndex={-1}>
        <h1 class="unseen">{page?.title ?? texts.product}</h1>
        {page === undefined ? <UnknownPage name={view.value.page} /> : <PageHost page={page} />}
      </main>
      {hasKeys && <KeysDialog onClose={() => setHasKeys(false)} />}
    </>
  )
}
