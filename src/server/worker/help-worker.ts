import { workerData } from 'node:worker_threads'
import { serveHelp } from '../../helpers/index.ts'
import { lowerPriority } from '../../workers/index.ts'
import { fileReader } from '../kept-tables.ts'
import type { HelpWorkerData } from './messages.ts'

lowerPriority()
serveHelp(fileReader((workerData as HelpWorkerData).cacheBytes))
