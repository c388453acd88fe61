import { busSuite } from './bus-suite.js'
import { describeBuses } from './buses.js'

describeBuses('the bus', busSuite)
