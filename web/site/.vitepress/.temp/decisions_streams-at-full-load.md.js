import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Streams at full load","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/streams-at-full-load.md","filePath":"decisions/streams-at-full-load.md"}');
const _sfc_main = { name: "decisions/streams-at-full-load.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="streams-at-full-load" tabindex="-1">Streams at full load <a class="header-anchor" href="#streams-at-full-load" aria-label="Permalink to &quot;Streams at full load&quot;">​</a></h1><p><strong>Context.</strong> How much audio do all processes together produce for a second of CPU, beside the bare engine? A process that sleeps and is woken spends 0.05 to 0.1 ms each time, cold caches included.</p><p><strong>Measurement.</strong> Callers that begin again as soon as the last frame has arrived, one worker. The load generator was removed after the decision. The bare path is the engine&#39;s pipe, a resampler, NATS and a socket.</p><table tabindex="0"><thead><tr><th></th><th>libespeak-ng</th><th>WebAssembly</th></tr></thead><tbody><tr><td>installation to the bare engine</td><td>0.58 to 0.63</td><td>0.78 to 0.89</td></tr><tr><td>bare path to the bare engine</td><td>0.66 to 0.71 (0.77 to 0.80 without resampling)</td><td>0.85 to 0.91</td></tr><tr><td>installation to the bare path</td><td>0.83 to 0.90</td><td>0.92 to 1.0</td></tr></tbody></table><p><strong>Decision.</strong> The goal is a share of the bare path. Segments that are complete together are requested, reserved and settled together. Engines write three seconds of audio at once; audio that is a second ahead of its listener is batched longer. NATS runs on one thread with <code>GOGC=400</code> (a third of its CPU, for 10 MB; 1,000 gave no more). Calculating four outputs of the resampler&#39;s table at a time was no faster and was dropped.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/streams-at-full-load.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const streamsAtFullLoad = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  streamsAtFullLoad as default
};
