import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Web search","description":"","frontmatter":{},"headers":[],"relativePath":"web-search.md","filePath":"web-search.md"}');
const _sfc_main = { name: "web-search.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="web-search" tabindex="-1">Web search <a class="header-anchor" href="#web-search" aria-label="Permalink to &quot;Web search&quot;">​</a></h1><p>An Agent with <code>web_search_enabled</code> in its published revision searches the web when its model decides to, with the search engine of the installation. Without an engine the Agent has no such tool.</p><p>Set one engine, with a <a href="./configuration#sessions">variable of sessions</a>; with both the service does not start:</p><ul><li><a href="https://docs.searxng.org" target="_blank" rel="noreferrer">SearXNG</a>: <code>SEARCH_SEARXNG_URL</code>, which may be in a private network. Its <code>settings.yml</code> must allow the format: <code>search: { formats: [html, json] }</code>.</li><li>Brave: <code>SEARCH_BRAVE_API_KEY</code>.</li></ul><p>What happens in a search:</p><ul><li>The model writes the query from the conversation. The engine gets the query and nothing else of the conversation; SearXNG also gets the language of the user.</li><li>The model gets the first five results: title, host, and up to 300 characters of text, without HTML and invisible characters. They are marked as data that strangers wrote. Pages are not read.</li><li>A search has a time limit of 8 s. When the engine is busy (429), fails or returns something else, the model gets a short message, and the reason is logged.</li><li>The sources are stored with the message that is based on them: <code>sources</code>, at most ten of <code>{title, url}</code>, in <code>GET /v1/agent-sessions/{id}</code> and its messages. A message without a search has none.</li></ul><p>A tool of the Agent&#39;s own with the name <code>web_search</code> replaces it. <a href="./tools">Tools</a> describes what holds for all tools.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("web-search.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const webSearch = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  webSearch as default
};
