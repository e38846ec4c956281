import { render } from 'preact'
import { App } from './app.tsx'
import { openListed } from './files.ts'
import { ServicesProvider, startServices } from './services.ts'

/** Data source of this page: its server, if a Sluice server sent the page; otherwise files that the user opens. */
async function sourceHere(): Promise<'server' | 'files'> {
  if (new URLSearchParams(location.search).has('files')) return 'files'
  try {
    const answer = await fetch('api/session', { headers: { 'X-Sluice-Console': '1' } })
    return answer.headers.get('X-Request-Id') === null ? 'files' : 'server'
  } catch {
    return 'files'
  }
}

const services = startServices(await sourceHere())
if (new URLSearchParams(location.search).get('files') === 'listed') void openListed(services.ask)

render(
  <ServicesProvider value={services}>
    <App />
  </ServicesProvider>,
  document.querySelector('#app') ?? document.body,
)
