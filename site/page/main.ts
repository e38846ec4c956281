import { find } from './dom.ts'
import { QueryBlock } from './query-block.ts'
import { addSearch } from './search.ts'
import { Services } from './services.ts'

/**
 * Makes the query blocks of a page editable and enables search. Without this script, the page shows the same answers.
 */
const { root = '', worker = '', languageWorker = '', search = '' } = find(document, 'script[data-root]').dataset

const services = new Services(worker, languageWorker)
const blocks = new Map<string, QueryBlock>()
for (const block of document.querySelectorAll<HTMLElement>('.query'))
  blocks.set(block.id, new QueryBlock(block, services))

const asked = new URLSearchParams(location.search)
const query = asked.get('query')
if (query !== null) blocks.get(asked.get('block') ?? 'q1')?.show(query)

addSearch(root, search)
document.documentElement.dataset['ready'] = ''
