import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Knowledge","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/knowledge.md","filePath":"decisions/knowledge.md"}');
const _sfc_main = { name: "decisions/knowledge.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="knowledge" tabindex="-1">Knowledge <a class="header-anchor" href="#knowledge" aria-label="Permalink to &quot;Knowledge&quot;">​</a></h1><p><strong>Context.</strong> The passages of an Agent&#39;s files are found by the words that they share with the user&#39;s. A question in other words than the file&#39;s finds nothing. A search by meaning would compare embeddings, in Postgres with <code>pgvector</code>.</p><p><strong>What it takes.</strong> A column of vectors whose length depends on the model, in databases that have the extension and only there; a client of <code>/v1/embeddings</code> for the model providers of a workspace and for Ollama, with its keys, addresses, time limits and prices; indexing in batches that can be resumed, again for every file when the model changes; an order that joins both searches; a look-up of the question&#39;s embedding before each reply, which a provider answers in 50 to 300 ms. That is more code than all of the knowledge of today, which is 540 lines without its routes. Neither the Postgres that <code>npm start</code> brings nor the image of the Helm chart has the extension.</p><p><strong>Decision.</strong> Full-text search alone. The look-up before a reply takes a few milliseconds, and needs no other server.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/knowledge.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const knowledge = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  knowledge as default
};
