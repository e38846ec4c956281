import { serveSource } from '../serve-source.ts'
import { LocalSource } from './local-source.ts'

serveSource(new LocalSource())
