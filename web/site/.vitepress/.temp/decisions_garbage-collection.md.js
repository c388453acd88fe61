import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Garbage collection","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/garbage-collection.md","filePath":"decisions/garbage-collection.md"}');
const _sfc_main = { name: "decisions/garbage-collection.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="garbage-collection" tabindex="-1">Garbage collection <a class="header-anchor" href="#garbage-collection" aria-label="Permalink to &quot;Garbage collection&quot;">​</a></h1><p><strong>Context.</strong> V8 collects the whole heap for every 10 MB of buffers beside it. That was half of a worker&#39;s CPU.</p><p><strong>Measurement.</strong> A heap limit of three times the live size: 4.4 → 1.9 ms of worker CPU for a second of audio. One scavenger thread (<code>--no-parallel-scavenge</code>) in place of four: 3, 5 and 4 % less CPU in all processes but the engines, in three pairs of runs. Marking and sweeping without threads of their own: no difference.</p><p><strong>Decision.</strong> <code>libs/runtime/src/run.ts</code> sets both.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/garbage-collection.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const garbageCollection = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  garbageCollection as default
};
