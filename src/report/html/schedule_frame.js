/* schedule_frame.js - what stands around the bars: ground, axes, groups, bound, overview. */
"use strict";

cosched.schedule.frame = (() => {
  const draw = cosched.schedule.draw;
  const FONT = draw.FONT;

  const crisp = (value) => Math.floor(value) + 0.5;

  function line(c, x1, y1, x2, y2) {
    c.beginPath();
    c.moveTo(x1, y1);
    c.lineTo(x2, y2);
    c.stroke();
  }

  /* "3 d 01:19:00" */
  function clock(seconds) {
    if (seconds < 60 || !Number.isInteger(seconds)) return `${cosched.human.digits(seconds, 12)} s`;
    const two = (value) => String(Math.floor(value)).padStart(2, "0");
    const day = Math.floor(seconds / 86400), rest = seconds % 86400;
    return `${day ? cosched.human.count(day) + " d " : ""}${two(rest / 3600)}:${two((rest % 3600) / 60)}:${two(rest % 60)}`;
  }

  /* Times along the view.  Far from 0 they count from a round moment, which the title of the axis
   * names, so that they stay short. */
  function times(chart) {
    const { view, plot } = chart, span = view.to - view.from, wanted = Math.max(2, Math.floor(plot.w / 90));
    if (chart.model.data.slots) return { title: "time (slots)", list: cosched.ticks.whole(view.from, view.to, wanted) };
    const unit = cosched.ticks.unit(span);
    const far = Math.max(Math.abs(view.from), Math.abs(view.to)) / unit.seconds >= 1000;
    if (!far) return { title: `time (${unit.name})`, list: cosched.ticks.time(view.from, view.to, wanted, unit) };
    const coarse = [86400, 3600, 60, 1, 1e-3, 1e-6, 1e-9].find((size) => size <= span) || 1e-9;
    const anchor = Math.floor(view.from / coarse) * coarse;
    const list = cosched.ticks.time(view.from - anchor, view.to - anchor, wanted, unit)
      .map((tick) => ({ at: tick.at + anchor, label: "+" + tick.label }));
    return { title: `time (${unit.name} after ${clock(anchor)})`, list };
  }

  /* Whole processors, in steps that suit powers of two when the machine does. */
  function processors(chart) {
    const { view, plot, model } = chart, wanted = Math.max(2, Math.floor(plot.h / 45));
    const whole = view.low === 0 && view.high === model.data.procs;
    let list = cosched.ticks.whole(view.low, view.high, wanted);
    if (whole && list[list.length - 1].at !== model.data.procs)
      for (let parts = wanted; parts > 2; parts--) {
        const step = model.data.procs / parts, odd = step / 2 ** Math.max(0, Math.floor(Math.log2(step & -step || 1)));
        if (Number.isInteger(step) && (odd === 1 || odd === 3)) {
          list = Array.from({ length: parts + 1 }, (_, i) => ({ at: i * step, label: cosched.human.count(i * step) }));
          break;
        }
      }
    return list;
  }

  function ground(c, chart, colors, ratio) {
    const { plot, model } = chart;
    c.fillStyle = model.data.slots ? colors.background : colors.idle;
    c.fillRect(plot.x, plot.y, plot.w, plot.h);
    if (!model.data.slots && !chart.ribbons) {
      c.fillStyle = draw.texture(c, colors, "idle", colors["idle-line"], 1, ratio);
      c.fillRect(plot.x, plot.y, plot.w, plot.h);
    }
    c.strokeStyle = colors.grid;
    c.lineWidth = 1;
    for (const tick of chart.times.list) line(c, crisp(chart.x(tick.at)), plot.y, crisp(chart.x(tick.at)), plot.y + plot.h);
  }

  function timeAxis(c, chart, colors) {
    const { plot } = chart, y = plot.y + plot.h;
    c.strokeStyle = colors.axis;
    c.lineWidth = 1;
    draw.font(c, FONT, false);
    c.textAlign = "center";
    for (const tick of chart.times.list) {
      const x = chart.x(tick.at), half = draw.width(c, tick.label, FONT, false) / 2;
      line(c, crisp(x), y, crisp(x), y + 4);
      c.fillStyle = colors.muted;
      draw.font(c, FONT, false);
      c.fillText(tick.label, Math.min(x, plot.x + plot.w + plot.right - half - 1), y + 16);
    }
    c.fillStyle = colors.text;
    draw.font(c, FONT + 1, false);
    c.fillText(chart.times.title, plot.x + plot.w / 2, y + 34);
  }

  function rowAxis(c, chart, colors) {
    const { plot, model } = chart;
    c.textAlign = "right";
    if (model.data.slots) {
      const every = Math.max(1, Math.ceil((FONT + 2) / chart.rowHeight()));
      c.fillStyle = colors.text;
      for (let host = Math.ceil(chart.view.low / every) * every; host < chart.view.high; host += every) {
        const y = chart.top(host, host) + chart.rowHeight() / 2 + 4;
        if (y < plot.y + 6 || y > plot.y + plot.h + 4) continue;
        const text = draw.elide(c, chart.rowName(host), FONT, false, plot.x - 10);
        draw.font(c, FONT, false);
        c.fillText(text, plot.x - 7, y);
      }
      return;
    }
    c.strokeStyle = colors.axis;
    c.fillStyle = colors.muted;
    draw.font(c, FONT, false);
    for (const tick of processors(chart)) {
      const y = chart.y(tick.at);
      line(c, plot.x - 4, crisp(y), plot.x, crisp(y));
      c.fillText(tick.label, plot.x - 7, y + 4);
    }
    c.save();
    c.translate(11, plot.y + plot.h / 2);
    c.rotate(-Math.PI / 2);
    c.textAlign = "center";
    c.fillStyle = colors.text;
    draw.font(c, FONT + 1, false);
    c.fillText(model.data.unit + "s", 0, 0);
    c.restore();
  }

  /* Names of stretches of time above the plot, with lines between them. */
  function stretches(c, chart, colors, list) {
    const { plot } = chart;
    c.textAlign = "center";
    c.lineWidth = 1;
    list.forEach(({ start, end, names }, i) => {
      const left = Math.max(chart.x(start), plot.x), right = Math.min(chart.x(end), plot.x + plot.w);
      if (right <= plot.x || left >= plot.x + plot.w) return;
      const text = names.find((one) => draw.width(c, one, FONT, false) <= right - left - 6);
      c.fillStyle = colors.text;
      draw.font(c, FONT, false);
      if (text) c.fillText(text, (left + right) / 2, plot.y - 8);
      if (!i || chart.x(start) < plot.x || (!text && right - left < 4)) return;
      c.strokeStyle = colors.text;
      line(c, crisp(chart.x(start)), plot.y - 17, crisp(chart.x(start)), plot.y + plot.h);
    });
  }

  function groups(c, chart, colors) {
    const { model } = chart;
    stretches(c, chart, colors, model.data.groups.map(({ number, start, end }) => {
      const name = `${model.data.group} ${number + 1}`;
      return { start, end, names: [`${name} · ${chart.duration(end - start)}`, name, String(number + 1)] };
    }));
    c.setLineDash([4, 2]);
    stretches(c, chart, colors, model.iterations.map((end, i) => (
      { start: i ? model.iterations[i - 1] : 0, end, names: [`iteration ${i + 1}`, String(i + 1)] })));
    c.setLineDash([]);
  }

  function clusters(c, chart, colors) {
    const { plot, model, view } = chart;
    c.strokeStyle = colors.text;
    c.lineWidth = 1;
    model.data.clusters.forEach(({ name, first, procs }, i) => {
      if (first + procs <= view.low || first >= view.high) return;
      const low = Math.min(chart.y(Math.max(first, view.low)), plot.y + plot.h), high = Math.max(chart.y(Math.min(first + procs, view.high)), plot.y);
      if (i && first > view.low) line(c, plot.x, crisp(low), plot.x + plot.w + 20, crisp(low));
      const text = draw.elide(c, name, FONT, false, low - high - 6);
      c.save();
      c.translate(plot.x + plot.w + 16, (low + high) / 2);
      c.rotate(-Math.PI / 2);
      c.textAlign = "center";
      c.fillStyle = colors.text;
      draw.font(c, FONT, false);
      c.fillText(text, 0, 0);
      c.restore();
    });
  }

  function bound(c, chart, colors) {
    const { plot, model } = chart, x = chart.x(model.data.bound);
    if (!(model.data.bound > 0) || x < plot.x || x > plot.x + plot.w) return;
    c.globalAlpha = 0.55;
    c.strokeStyle = colors.background;
    c.lineWidth = 3;
    line(c, x, plot.y, x, plot.y + plot.h);
    c.globalAlpha = 1;
    c.strokeStyle = colors.text;
    c.lineWidth = 1.3;
    c.setLineDash([5, 4]);
    line(c, x, plot.y - 6, x, plot.y + plot.h);
    c.setLineDash([]);
    if (model.data.groups.length || model.iterations.length) return;
    const half = draw.width(c, "lower bound", FONT, false) / 2;
    draw.font(c, FONT, false);
    c.fillStyle = colors.text;
    c.textAlign = "center";
    c.fillText("lower bound", Math.min(Math.max(x, plot.x + half), plot.x + plot.w - half), plot.y - 9);
  }

  function faults(c, chart, colors) {
    const list = chart.model.data.faults, size = list.length <= 60 ? 17 : list.length <= 200 ? 13 : 9;
    for (const struck of [false, true])
      for (const fault of list) {
        if (fault.struck !== struck || !chart.showFaults) continue;
        const spot = chart.faultAt(fault);
        if (spot) draw.bolt(c, colors, spot.x, spot.y, size, struck);
      }
  }

  function edge(c, chart, colors) {
    const { plot } = chart;
    if (chart.model.data.slots) return;
    c.strokeStyle = colors.axis;
    c.lineWidth = 1;
    c.strokeRect(plot.x - 0.5, plot.y - 0.5, plot.w + 1, plot.h + 1);
  }

  /* Everything; returns how many bars are in the view. */
  function all(c, chart, colors, ratio) {
    const { plot } = chart;
    chart.times = times(chart);
    c.fillStyle = colors.background;
    c.fillRect(0, 0, chart.width, chart.heightAll);
    ground(c, chart, colors, ratio);
    c.save();
    c.beginPath();
    c.rect(plot.x, plot.y, plot.w, plot.h);
    c.clip();
    if (chart.model.hosts.length) draw.states(c, chart, colors, ratio);
    const shown = chart.ribbons ? cosched.schedule.ribbons.draw(c, chart, colors, ratio) : draw.bars(c, chart, colors, ratio);
    if (chart.stack && !chart.ribbons) cosched.schedule.ribbons.rowNames(c, chart, colors);
    c.restore();
    groups(c, chart, colors);
    if (!chart.ribbons) clusters(c, chart, colors);
    edge(c, chart, colors);
    bound(c, chart, colors);
    c.save();
    c.beginPath();
    c.rect(plot.x - 9, plot.y - 9, plot.w + 18, plot.h + 18);
    c.clip();
    faults(c, chart, colors);
    c.restore();
    rowAxis(c, chart, colors);
    timeAxis(c, chart, colors);
    if (!chart.model.count) {
      draw.font(c, 13, false);
      c.textAlign = "center";
      c.fillStyle = colors.muted;
      c.fillText("nothing ran", plot.x + plot.w / 2, plot.y + plot.h / 2);
    }
    return shown;
  }

  function area(c, load, most, height) {
    c.beginPath();
    c.moveTo(0, height);
    load.forEach((busy, i) => {
      const y = height - Math.min(busy / most, 1) * (height - 2);
      c.lineTo(i, y);
      c.lineTo(i + 1, y);
    });
    c.lineTo(load.length, height);
    c.fill();
  }

  /* The whole schedule in a strip: how many processors are busy, and how many hosts are up. */
  function overview(c, chart, colors, width, height) {
    const columns = Math.max(1, Math.floor(width)), most = chart.model.data.procs;
    if (!chart.load || chart.load.length !== columns) {
      chart.load = chart.model.load(columns, chart.full.from, chart.full.to);
      chart.upLoad = chart.model.upLoad(columns, chart.full.from, chart.full.to);
    }
    c.fillStyle = colors.idle;
    c.fillRect(0, 0, width, height);
    c.fillStyle = colors["idle-line"];
    area(c, chart.upLoad, most, height);
    c.fillStyle = colors.axis;
    area(c, chart.load, most, height);
  }

  return { all, overview };
})();
