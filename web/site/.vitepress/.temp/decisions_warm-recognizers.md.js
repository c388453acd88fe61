import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Warm recognizers","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/warm-recognizers.md","filePath":"decisions/warm-recognizers.md"}');
const _sfc_main = { name: "decisions/warm-recognizers.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="warm-recognizers" tabindex="-1">Warm recognizers <a class="header-anchor" href="#warm-recognizers" aria-label="Permalink to &quot;Warm recognizers&quot;">​</a></h1><p><strong>Context.</strong> The first turns of conversations took 5 to 8 s under load. A recognizer process takes 0.4 to 0.6 s of CPU to start (pocketsphinx; 0.2 to 0.3 s for a small sherpa-onnx model), and only one was started ahead.</p><p><strong>Measurement.</strong> CPU of a recognizer process for the same utterance, the first in a fresh process and the mean of the next four:</p><table tabindex="0"><thead><tr><th></th><th>first</th><th>next</th></tr></thead><tbody><tr><td>pocketsphinx, six processes</td><td>700 to 1,040 ms</td><td>720 to 1,060 ms; the first takes 1.07 times the others in the mean</td></tr><tr><td>the same after one second of noise</td><td>700 to 1,110 ms</td><td>620 to 950 ms; 1.05 times</td></tr><tr><td>sherpa-onnx, streaming and SenseVoice, a tiny model</td><td>9 to 16 ms</td><td>7 to 14 ms</td></tr></tbody></table><p><strong>Decision.</strong> A process for each conversation in progress, up to the limit, from the start of the conversation to its end. A started process is as fast for its first utterance as for later ones, so pocketsphinx recognizes nothing before its first utterance. sherpa-onnx recognizes a second of silence when it starts, which also shows that the model works.</p><p>A whole conversation right after the start, on a quiet machine (pocketsphinx): from the end of the user&#39;s speech to the first sound 532 ms in the first turn and 525, 518 and 524 ms in the next three, of which the pause that ends a turn is 500.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/warm-recognizers.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const warmRecognizers = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  warmRecognizers as default
};
