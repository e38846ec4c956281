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

/** URLs of the workers, which the build writes into the page. */
function addressOf(name: 'dataWorker' | 'languageWorker'): URL {
  const script = document.querySelector<HTMLScriptElement>('script[data-data-worker]')
  return new URL(script?.dataset[name] ?? '', document.baseURI)
}

/** Starts the worker threads; `source` selects the data source of the data worker. */
export function startServices(source: Session['source']): Services {
  const address = addressOf('dataWorker')
  address.hash = source
  return {
    ask: askWorker(new Worker(address, { type: 'module' })),
    language: new LanguageClient(() => new Worker(addressOf('languageWorker'), { type: 'module' })),
  }
}
