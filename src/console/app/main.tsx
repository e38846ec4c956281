import { render } from 'preact'
import { App } from './app.tsx'
import { openListed } from './files.ts'
import { view } from './location.ts'
import { pageOf } from './pages.ts'
import { servicesOf, ServicesProvider, startSource } from './services.ts'

const files = new URLSearchParams(location.search).get('files')

/** Asks whether a Sluice server sent the page. */
async function hasServer(): Promise<boolean> {
  try {
    const answer = await fetch('api/session', { headers: { 'X-Sluice-Console': '1' } })
    return answer.headers.get('X-Request-Id') !== null
  } catch {
    return false
  }
}

/** Starts the worker of the page's data source: its server, or files that the user opens. */
async function openSource(): Promise<Worker> {
  if (files !== null) return startSource('files')
  // Most pages have a server, so its worker loads while the request runs.
  const worker = startSource('server')
  if (await hasServer()) return worker
  worker.terminate()
  return startSource('files')
}

// The code of the page loads while the worker starts. The app shows the page once the user is known.
void pageOf(view.value.page)?.load()
const services = servicesOf(await openSource())
if (files === 'listed') void openListed(services.ask)

render(
  <ServicesProvider value={services}>
    <App />
  </ServicesProvider>,
  document.querySelector('#app') ?? document.body,
)
