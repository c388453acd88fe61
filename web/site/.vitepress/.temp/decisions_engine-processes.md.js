import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Engine processes","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/engine-processes.md","filePath":"decisions/engine-processes.md"}');
const _sfc_main = { name: "decisions/engine-processes.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="engine-processes" tabindex="-1">Engine processes <a class="header-anchor" href="#engine-processes" aria-label="Permalink to &quot;Engine processes&quot;">​</a></h1><p><strong>Context.</strong> <code>libespeak-ng</code> keeps global state, is under the GPL and can crash. It runs in a process of its own.</p><p><strong>Measurement.</strong> Four rounds of 100 sentences of four seconds, other work on both cores:</p><table tabindex="0"><thead><tr><th></th><th>first audio, p50</th><th>audio-s per CPU-s</th></tr></thead><tbody><tr><td>libespeak-ng, in the caller&#39;s process</td><td>0.45 ms</td><td>1,098</td></tr><tr><td>libespeak-ng, in its own process</td><td>0.72 ms</td><td>930</td></tr><tr><td>WebAssembly, in its own process</td><td>1.93 ms</td><td>294</td></tr><tr><td>flite, in its own process</td><td>33 ms</td><td>69</td></tr></tbody></table><p>Resident memory grew from 67.8 to 71.3 MB between 1,000 and 10,000 utterances with libespeak-ng. With a neural model that reads by eSpeak NG&#39;s data it grew from 152.6 to 173.7 MB: its library keeps 2 to 8 KB of each text.</p><p><strong>Decision.</strong> One engine per process; a process of such a model is renewed after 5,000 utterances. flite is given at most 60 characters at a time, cut where phrases begin: first audio after 18 ms instead of 33 ms.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/engine-processes.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const engineProcesses = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  engineProcesses as default
};
