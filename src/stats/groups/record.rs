//! Groups under construction: where events are put and members are found by their ids.

use std::collections::HashMap;

use super::{Coordinator, Epoch, Event, Group, GroupKind, Member, What, silence};
use crate::{
    explain::Cluster,
    session::{Exchange, Index, Session},
    stats::Failure,
};

/// Node ids by group, with the host and port that FindCoordinator gave for them.
type Nodes = HashMap<Box<str>, Vec<(i32, Box<str>, u16)>>;

/// Epochs of which a late answer may still come.
const RECENT: usize = 2;

/// All groups so far.
pub(super) struct Record<'s> {
    pub(super) session: &'s Session,
    pub(super) index: &'s Index,
    pub(super) cluster: std::sync::Arc<Cluster>,
    groups: Vec<Group>,
    by_id: HashMap<Box<str>, usize>,
    members: HashMap<(usize, Box<str>), usize>,
    nodes: Nodes,
}

impl<'s> Record<'s> {
    pub(super) fn new(session: &'s Session, index: &'s Index) -> Record<'s> {
        Record {
            session,
            index,
            cluster: session.cluster(),
            groups: Vec::new(),
            by_id: HashMap::new(),
            members: HashMap::new(),
            nodes: HashMap::new(),
        }
    }

    /// The groups, with what only shows once all is known.
    pub(super) fn finish(mut self) -> Vec<Group> {
        for group in &mut self.groups {
            silence::note(group);
            group.events.sort_by_key(|event| event.time);
            let nodes = self.nodes.get(&group.id).map_or(&[][..], Vec::as_slice);
            for coordinator in &mut group.coordinators {
                coordinator.node = node(coordinator, nodes);
            }
        }
        self.groups
    }

    /// The number of a group, which is made if it is new.
    pub(super) fn group(&mut self, id: &str) -> usize {
        if let Some(&group) = self.by_id.get(id) {
            return group;
        }
        self.groups.push(Group {
            id: id.into(),
            ..Group::default()
        });
        self.by_id.insert(id.into(), self.groups.len() - 1);
        self.groups.len() - 1
    }

    /// The group that an exchange with its coordinator is about.
    pub(super) fn asked(&mut self, id: &str, exchange: &Exchange) -> usize {
        let group = self.group(id);
        let server = self.index.connection(exchange.connection);
        let server = server.map(|connection| connection.server);
        if let (Some(found), Some(endpoint)) = (self.groups.get_mut(group), server) {
            let known = found.coordinators.iter();
            if !known.clone().any(|known| known.endpoint == endpoint) {
                let node = None;
                found.coordinators.push(Coordinator { endpoint, node });
            }
        }
        group
    }

    /// What is known of a group.
    pub(super) fn of(&mut self, group: usize) -> Option<&mut Group> {
        self.groups.get_mut(group)
    }

    /// Notes what kind of group it is.
    pub(super) fn is(&mut self, group: usize, kind: GroupKind) {
        if let Some(group) = self.groups.get_mut(group) {
            group.kind = Some(kind);
        }
    }

    /// The member of that id, who sent the request of `exchange`.
    pub(super) fn sender(&mut self, group: usize, id: &str, exchange: &Exchange) -> Option<usize> {
        let at = self.member(group, id, exchange.time())?;
        let (connection, index) = (self.index.connection(exchange.connection), self.index);
        let group = self.groups.get_mut(group)?;
        let member = group.members.get_mut(at)?;
        if let Some(client_id) = exchange.client_id {
            member.client_id = Some(index.name(client_id).into());
        }
        member.host = connection.map(|connection| connection.client.addr);
        let time = exchange
            .request
            .map_or(exchange.time(), |request| request.time);
        member.last = member.last.max(time);
        // Requests are taken in the order in which they were sent, epochs begin with answers.
        for epoch in group.epochs.iter_mut().rev().take(RECENT) {
            let mut heard = epoch.heard.iter_mut();
            if let Some((_, last)) = heard.find(|(member, _)| *member == at)
                && time < epoch.start
            {
                *last = time.max(*last);
            }
        }
        Some(at)
    }

    /// The member of that id, who is made if it is new; `None` for no id.
    pub(super) fn member(&mut self, group: usize, id: &str, time: i64) -> Option<usize> {
        if id.is_empty() {
            return None;
        }
        if let Some(&at) = self.members.get(&(group, id.into())) {
            return Some(at);
        }
        let members = &mut self.groups.get_mut(group)?.members;
        members.push(Member {
            id: id.into(),
            first: time,
            last: time,
            ..Member::default()
        });
        self.members.insert((group, id.into()), members.len() - 1);
        Some(members.len() - 1)
    }

    /// Adds an event.
    pub(super) fn event(
        &mut self,
        group: usize,
        (time, n): (i64, u32),
        member: Option<usize>,
        what: What,
    ) {
        let Some(group) = self.groups.get_mut(group) else {
            return;
        };
        group.events.push(Event {
            time,
            n,
            member,
            what,
        });
        let at = group.events.len() - 1;
        if let Some(member) = member.and_then(|member| group.members.get_mut(member)) {
            member.last_event = Some(at);
        }
    }

    /// What happened to the member last.
    pub(super) fn last_event(&self, group: usize, member: Option<usize>) -> Option<&What> {
        let group = self.groups.get(group)?;
        let at = group.members.get(member?)?.last_event?;
        group.events.get(at).map(|event| &event.what)
    }

    /// Adds the error codes of an answer; one that the member just got before is only counted.
    pub(super) fn errors(
        &mut self,
        group: usize,
        exchange: &Exchange,
        member: Option<usize>,
        codes: &[i16],
    ) {
        for failure in codes.iter().filter_map(|&code| Failure::of(exchange, code)) {
            let Some(found) = self.groups.get_mut(group) else {
                return;
            };
            let last = match member {
                Some(member) => found.members.get(member).and_then(|found| found.last_event),
                None => found.events.len().checked_sub(1),
            };
            let last = last.and_then(|at| found.events.get_mut(at));
            if let Some(Event {
                what: What::Failed(before),
                member: whose,
                ..
            }) = last
                && *whose == member
                && before.again(&failure)
            {
                continue;
            }
            let at = (failure.last_time, failure.last);
            self.event(group, at, member, What::Failed(failure));
        }
    }

    /// The epoch of that number, which begins with this exchange if it is new. Numbers start again
    /// when a group is emptied and made anew.
    pub(super) fn epoch(
        &mut self,
        group: usize,
        number: i64,
        (time, n): (i64, u32),
    ) -> Option<&mut Epoch> {
        let epochs = &self.groups.get(group)?.epochs;
        let recent = epochs.iter().enumerate().rev().take(RECENT);
        let mut recent = recent.filter(|(_, epoch)| epoch.number == number);
        let at = match recent.next() {
            Some((at, _)) => at,
            None => {
                let found = self.groups.get_mut(group)?;
                let before = found.epochs.last().map_or(&[][..], |last| &last.members);
                let heard = before
                    .iter()
                    .filter_map(|&member| Some((member, found.members.get(member)?.last)))
                    .collect();
                found.epochs.push(Epoch {
                    number,
                    start: time,
                    n,
                    heard,
                    ..Epoch::default()
                });
                let epoch = found.epochs.len() - 1;
                self.event(group, (time, n), None, What::Began { epoch });
                epoch
            }
        };
        self.groups.get_mut(group)?.epochs.get_mut(at)
    }

    /// A member of that instance id, the last one that had it.
    pub(super) fn instance(&self, group: usize, instance_id: &str) -> Option<usize> {
        let members = &self.groups.get(group)?.members;
        let has = |member: &Member| member.instance_id.as_deref() == Some(instance_id);
        members.iter().rposition(has)
    }

    /// Notes where FindCoordinator says that a group is coordinated.
    pub(super) fn placed(&mut self, group: &str, node: i32, host: &str, port: u16) {
        let known = self.nodes.entry(group.into()).or_default();
        let place = (node, host.into(), port);
        if !known.contains(&place) {
            known.push(place);
        }
    }
}

/// The node id of a coordinator: that of the same port and the same address. A host name is taken
/// for any address, as the capture does not resolve it.
fn node(coordinator: &Coordinator, nodes: &[(i32, Box<str>, u16)]) -> Option<i32> {
    let endpoint = coordinator.endpoint;
    let fits = |(_, host, port): &&(i32, Box<str>, u16)| {
        *port == endpoint.port
            && host
                .parse()
                .map_or(true, |addr: std::net::IpAddr| addr == endpoint.addr)
    };
    nodes.iter().rev().find(fits).map(|(node, ..)| *node)
}
