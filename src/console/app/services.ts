import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { signal } from '@preact/signals'
import { askWorker, type Ask } from '../ask/client.ts'
import type { Session } from '../ask/requests.ts'
import { LanguageClient } from '../language/client.ts'

/** Worker threads of the page. */
export interface Services {
  readonly ask: Ask
  readonly language: LanguageClient
}

/** The signed-in user; `undefined` until the data source has answered. */
export const session = signal<Session | 'signed-out' | undefined>(undefined)

/** Returns the data source of the page. */
export function sourceOfRows(): Session['source'] {
  const who = session.value
  return who === undefined || who === 'signed-out' ? 'server' : who.source
}

/** Incremented when requests read other data than before, such as another backend. */
export const dataChanges = signal(0)

const ServicesContext = createContext<Services | undefined>(undefined)

export const ServicesProvider = ServicesContext.Provider

export function useServices(): Services {
  const services = useContext(ServicesContext)
  if (services === undefined) throw new Error('a part of the page stands outside of it')
  return services
}

/** Starts a worker thread, whose URL the build writes into the page. */
function startWorker(name: 'serverWorker' | 'filesWorker' | 'languageWorker'): Worker {
  const script = document.querySelector<HTMLScriptElement>('script[data-language-worker]')
  return new Worker(new URL(script?.dataset[name] ?? '', document.baseURI), { type: 'module' })
}

/** Starts the worker that queries a data source and keeps the rows. */
export function startSource(source: Session['source']): Worker {
  return startWorker(`${source}Worker`)
}

/** Returns the services of a page whose rows are in `worker`. The language worker starts with its first use. */
export function servicesOf(worker: Worker): Services {
  return { ask: askWorker(worker), language: new LanguageClient(() => startWorker('languageWorker')) }
}
