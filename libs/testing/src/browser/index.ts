export { launchBrowser } from './launch-browser.js'
