import { serveSource } from '../serve-source.ts'
import { RemoteSource } from './remote-source.ts'

serveSource(new RemoteSource())
