import { workerData } from 'node:worker_threads'
import { serveHelp } from '../../helpers/index.ts'
import { putBehind } from '../../workers/index.ts'
import { fileReader } from '../kept-tables.ts'
import type { HelpWorkerData } from './messages.ts'

putBehind()
serveHelp(fileReader((workerData as HelpWorkerData).cacheBytes))
